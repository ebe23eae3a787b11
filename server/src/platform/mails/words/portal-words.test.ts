import { LANGUAGES, MAILS } from '@orchestrate/shared';
import { describe, expect, test } from 'vitest';
import { mailTextIssues } from '../mail-text.ts';
import { renderMessage } from '../render-message.ts';
import { COMMON_VARIABLES, MAIL_KINDS, PORTAL_WORDS, requiredSecretOf } from '../templates.ts';

const brand = { orgCode: 'acme', name: 'Acme', color: '#FACC15', publicUrl: 'http://localhost:3000' };
const now = Date.parse('2026-03-02T09:30:00.000Z');
const variablesIn = (text: string) => [...new Set(text.match(/\$\{\w+\}/g) ?? [])].toSorted();
/** Returns each paragraph's type: small print, a link or a code, or null for other text. */
const kindsIn = (body: string) =>
  body
    .split('\n\n')
    .map((each) =>
      /^> /.test(each) ? 'note' : /^\[.+\]\(\$\{link\}\)$/.test(each) ? 'link' : /^\$\{code\}$/.exec(each),
    );

describe.each(MAILS)('%s', (name) => {
  const [en, de] = [PORTAL_WORDS.en.texts[name], PORTAL_WORDS.de.texts[name]];

  test('uses the same variables and paragraph types in German', () => {
    expect(variablesIn(de.subject)).toEqual(variablesIn(en.subject));
    expect(variablesIn(de.body)).toEqual(variablesIn(en.body));
    expect(kindsIn(de.body)).toEqual(kindsIn(en.body));
    expect(de.subject).not.toBe(en.subject);
  });

  test.each(LANGUAGES)('accepts the portal’s default text as a custom text, in %s', (language) => {
    const variables = Object.keys({ ...COMMON_VARIABLES, ...MAIL_KINDS[name].variables });
    expect(mailTextIssues(PORTAL_WORDS[language].texts[name], { variables, secret: requiredSecretOf(name) })).toEqual(
      [],
    );
  });

  test('renders the German email without English words', () => {
    const facts = MAIL_KINDS[name].sampleAt(now, PORTAL_WORDS.de);
    const { subject, text, html } = renderMessage(brand, { channel: 'mail', template: name, language: 'de', facts });
    expect(text).toMatch(/^Guten Tag Robin!\n\n[\s\S]+\n\nAcme\n$/);
    expect(html).toContain('<html lang="de">');
    expect(`${subject} ${text} ${html}`).not.toMatch(/\b(Hello|you|your|the|is|until|phone|Time|Mar)\b/);
  });
});

test('translates times, apps, devices and the notices that replace expired secrets', () => {
  const code = { firstName: 'Zoë', type: 'mobile' as const, code: '', expiresAt: now };
  const mail = { channel: 'mail', language: 'de' } as const;
  const { text } = renderMessage(brand, { ...mail, template: 'activation-code', facts: code });
  expect(text).toContain('(Dieser Code ist nicht mehr gültig.)');
  expect(text).toContain('Authenticator-App (mobil)');
  expect(text).toContain('bis zum 2. März 2026 um 09:30 UTC.');
  const link = { firstName: 'Zoë', type: 'mobile' as const, link: '', validFrom: now, expiresAt: now };
  const invited = renderMessage(brand, { ...mail, template: 'invitation', facts: link });
  expect(invited.text).toContain('(Dieser Link ist nicht mehr gültig.)');
  expect(invited.text).toContain('auf Ihrem Smartphone');
  expect(invited.html).toContain('weil Sie Mitglied von Acme sind');
});

test('translates a text message into German', () => {
  const facts = { firstName: 'Zoë', code: '123456', expiresAt: now };
  const message = { channel: 'text', language: 'de', template: 'one-time-code', facts } as const;
  expect(renderMessage(brand, message)).toMatchObject({
    subject: '',
    html: '',
    text: expect.stringMatching(/^Guten Tag Zoë![\s\S]+Einmalcode[\s\S]+123456/),
  });
});
