import {
  type AuthState,
  checkConfiguration,
  deleteDevice,
  deleteMailText,
  getUser,
  importConfiguration,
  inviteUsers,
  type Language,
  listActivity,
  listMailTexts,
  type MailWords,
  previewMailText,
  readOutbox,
  readWorld,
  regenerateActivationCode,
  resendInvitation,
  saveMailLanguage,
  saveMailText,
  setLanguage,
  signup,
  tryMailText,
  updateUser,
  verifyEmail,
  type World,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alertAdministrators } from '#core/audit/alert-administrators.ts';
import { systemActor } from '#platform/http/callers/actors.ts';
import { memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';
const NEWCOMER = 'mara.lindholm@acme.test';
const CODE = { name: 'activation-code' } as const;
const GERMAN = { type: 'mail-text', id: 'activation-code.de' } as const;

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn(ADMIN);
});
afterEach(() => portal.close());

const OWN: Readonly<Record<Language, MailWords>> = {
  en: { subject: 'Welcome, ${firstName}', body: 'Here:\n\n${code}' },
  de: { subject: 'Willkommen, ${firstName}', body: 'Bitte sehr:\n\n${code}' },
};
const save = (language: Language, ifMatch?: string) =>
  portal.call(
    saveMailText,
    { params: CODE, query: { language }, body: OWN[language] },
    { token: admin.token, ...(ifMatch && { ifMatch }) },
  );
const setMailLanguage = (language: Language) => portal.call(saveMailLanguage, { body: { language } }, admin);
const list = async (language?: Language) =>
  (await portal.call(listMailTexts, language ? { query: { language } } : {}, admin)).body;
const mail = async (language?: Language) => {
  const found = (await list(language)).mails.find(({ name }) => name === CODE.name);
  if (!found) throw new Error('This email does not exist.');
  return found;
};
const lastMessageTo = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages[0];

/** Issues a code for a member and returns the email sent to them. */
async function codeMailTo(email: string, type: 'mobile' | 'desktop' = 'mobile') {
  const { primaryAttr } = memberByEmail(portal, 'acme', email);
  const body = { email, primaryAttr, type, sendEmail: true };
  expect((await portal.call(regenerateActivationCode, { body }, admin)).status).toBe(200);
  return lastMessageTo(email);
}

async function userReadsGerman(): Promise<void> {
  const user = await portal.signIn(USER);
  await portal.call(setLanguage, { body: { language: 'de' } }, user);
}

// covers: spec 2.2.44
test('emails members in German only if they chose it, whatever the organisation’s language', async () => {
  await userReadsGerman();
  const sent = await codeMailTo(USER, 'desktop');
  expect(sent?.subject).toBe('Ihr Aktivierungscode für Acme Corporation');
  expect(sent?.text).toMatch(/^Guten Tag \S+!\n\nDas ist Ihr Aktivierungscode für die Authenticator-App \(Desktop\):/);
  expect(sent?.html).toContain('<html lang="de">');
  expect((await codeMailTo(NEWCOMER))?.subject).toBe('Your activation code for Acme Corporation');
});

test('sends address changes and device alerts in the member’s language, to the new address too', async () => {
  await userReadsGerman();
  const user = await portal.signIn(USER);
  const next = 'daniel.new@acme.test';
  const { primaryAttr, firstName, lastName, suid } = memberByEmail(portal, 'acme', USER);
  const body = { primaryAttr, firstName, lastName, primaryEmail: next };
  expect((await portal.call(updateUser, { body }, user)).status).toBe(200);
  expect((await lastMessageTo(USER))?.subject).toBe('Ihre E-Mail-Adresse bei Acme Corporation soll geändert werden');
  const code = await lastMessageTo(next);
  expect(code?.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für Acme Corporation');
  await portal.call(verifyEmail, { body: { otp: code?.code ?? '' } }, user);
  expect((await lastMessageTo(USER))?.subject).toBe('Ihre E-Mail-Adresse bei Acme Corporation wurde geändert');
  const { devices } = (await portal.call(getUser, { query: { suid } }, admin)).body;
  const zid = devices.find(({ status }) => status === 'active')?.zid ?? '';
  const lost = { zid, suid, action: 'LOST_DEVICE' as const };
  expect((await portal.call(deleteDevice, { body: lost }, admin)).status).toBe(200);
  expect((await lastMessageTo(next))?.subject).toMatch(/^Gerät als verloren gemeldet: /);
});

test('invites and reminds a member in the language they chose', async () => {
  const { suid } = memberByEmail(portal, 'acme', NEWCOMER);
  setMember(portal, suid, { language: 'de' });
  const invited = { orgEmails: [NEWCOMER], type: 'mobile' as const, sendEmail: true };
  await portal.call(inviteUsers, { body: invited }, admin);
  expect((await lastMessageTo(NEWCOMER))?.subject).toBe('Einladung zu Acme Corporation');
  portal.clock.advance(1);
  const before = (await lastMessageTo(NEWCOMER))?.id;
  await portal.call(resendInvitation, { body: { suid, type: 'mobile' } }, admin);
  const again = await lastMessageTo(NEWCOMER);
  expect(again?.subject).toBe('Einladung zu Acme Corporation');
  expect(again?.id).not.toBe(before);
});

test('uses the organisation’s custom text for each email’s language', async () => {
  await userReadsGerman();
  await save('en');
  expect((await codeMailTo(USER, 'desktop'))?.subject, 'no German ones yet').toMatch(/^Ihr Aktivierungscode/);
  await save('de');
  expect((await lastMessageTo(USER))?.subject, 'the words of the moment in which it is read').toMatch(/^Willkommen, /);
  expect((await codeMailTo(NEWCOMER))?.subject).toBe('Welcome, Mara');
  await portal.call(deleteMailText, { params: CODE, query: { language: 'de' } }, admin);
  expect((await lastMessageTo(USER))?.subject).toMatch(/^Ihr Aktivierungscode/);
  expect((await lastMessageTo(NEWCOMER))?.subject).toBe('Welcome, Mara');
});

test('emails people who haven’t chosen a language in the organisation’s language', async () => {
  expect((await list()).mailLanguage.language).toBe('en');
  expect((await setMailLanguage('de')).body.mailLanguage.language).toBe('de');
  expect((await codeMailTo(NEWCOMER))?.subject).toMatch(/^Ihr Aktivierungscode/);
  const invited = 'a.newcomer@acme.test';
  const body = { orgEmails: [invited], type: 'mobile' as const, sendEmail: true, addNew: true };
  await portal.call(inviteUsers, { body }, admin);
  expect((await lastMessageTo(invited))?.subject).toBe('Einladung zu Acme Corporation');
  const form = { orgCode: 'acme', firstName: 'Nora', lastName: 'New' };
  await portal.call(signup, { body: { ...form, email: 'nora.new@acme.test' } });
  expect((await lastMessageTo('nora.new@acme.test'))?.subject).toBe('Ihr Einmalcode für Acme Corporation');
  const mobileNumber = '+46701234567';
  await portal.call(signup, { body: { ...form, email: 'by.phone@acme.test', mobileNumber } });
  expect(await lastMessageTo(mobileNumber)).toMatchObject({
    channel: 'text',
    text: expect.stringMatching(/^Guten Tag Nora!\n\nDas ist Ihr Einmalcode/),
  });
});

test('doesn’t translate an already written email when the email language changes', async () => {
  expect((await codeMailTo(NEWCOMER))?.subject).toMatch(/^Your activation code/);
  await setMailLanguage('de');
  expect((await lastMessageTo(NEWCOMER))?.subject).toMatch(/^Your activation code/);
});

test('emails a repeated sign-up in the member’s language without revealing the account', async () => {
  setOrganisation(portal, 'acme', { discloseUnknownUsers: 0 });
  await userReadsGerman();
  const mobileNumber = '+46701234567';
  await portal.call(signup, {
    body: { orgCode: 'acme', firstName: 'Any', lastName: 'Body', email: USER, mobileNumber },
  });
  expect((await lastMessageTo(USER))?.subject).toBe('Sie haben bereits ein Konto bei Acme Corporation');
  expect((await lastMessageTo(mobileNumber))?.text).toMatch(/^Hello Any,/);
});

test('warns each administrator in their own language', async () => {
  await portal.call(setLanguage, { body: { language: 'de' } }, admin);
  portal.deps.db.transaction((tx) =>
    alertAdministrators(portal.deps, tx, systemActor('acme'), {
      action: 'fraud.reported',
      object: { type: 'fraud', id: 'x', name: 'X' },
      texts: {
        en: { subject: 'a guess', what: 'Codes are guessed.', details: [['IP', '203.0.113.7']], advice: 'Look.' },
        de: { subject: 'Rateversuch', what: 'Codes werden geraten.', details: [['IP', '203.0.113.7']], advice: 'Los.' },
      },
    }),
  );
  const german = await lastMessageTo(ADMIN);
  expect(german?.subject).toBe('Sicherheit: Rateversuch');
  expect(german?.text).toContain('Codes werden geraten.\n\nIP: 203.0.113.7\n\nZeit: 2. März 2026 um 09:30 UTC\n\nLos.');
  expect((await lastMessageTo('security.admin@acme.test'))?.subject).toBe('Security: a guess');
});

test('shows and changes the English texts if a client sends no language', async () => {
  await save('de');
  const { version, ...seen } = await mail();
  expect(seen).toMatchObject({ language: 'en', isOwn: false, ownIn: ['de'] });
  expect(seen.subject).toBe('Your activation code for ${organisation}');
  await portal.call(saveMailText, { params: CODE, body: OWN.en }, { token: admin.token, ifMatch: version });
  expect(await mail()).toMatchObject({ ...OWN.en, language: 'en', isOwn: true, ownIn: ['en', 'de'] });
  expect(await mail('de')).toMatchObject({ ...OWN.de, language: 'de', isOwn: true });
  const displayed = await portal.call(previewMailText, { params: CODE, body: OWN.en }, admin);
  expect(displayed.body.text).toMatch(/^Hello Robin,/);
  await portal.call(deleteMailText, { params: CODE }, admin);
  expect(await mail()).toMatchObject({ isOwn: false, ownIn: ['de'] });
});

test('previews and tests German texts as a German email, whatever the administrator’s language', async () => {
  const request = { params: CODE, query: { language: 'de' as const }, body: OWN.de };
  const displayed = (await portal.call(previewMailText, request, admin)).body;
  expect(displayed).toMatchObject({ subject: 'Willkommen, Robin', html: expect.stringContaining('<html lang="de">') });
  expect(displayed.text).toMatch(/^Guten Tag Robin!\n\nBitte sehr:\n\n482913/);
  await portal.call(tryMailText, request, admin);
  const tried = await lastMessageTo(ADMIN);
  expect(tried?.subject).toBe('Willkommen, Avery');
  expect(tried?.text).toMatch(/^Guten Tag Avery!\n\nBitte sehr:/);
  const wrong = { ...request, body: { ...OWN.de, body: 'Kein Code' } };
  expect((await portal.call(saveMailText, wrong, admin)).status).toBe(400);
});

test('rejects an unsupported language', async () => {
  const { status } = await portal.http.get('/api/org/mails?language=fr').set('Authorization', `Bearer ${admin.token}`);
  expect(status).toBe(400);
});

test('detects conflicting edits in the same language, but not in different languages', async () => {
  const [english, german] = [(await mail('en')).version, (await mail('de')).version];
  await save('en', english);
  expect((await save('de', german)).status).toBe(200);
  const stale = await save('de', german);
  expect(stale).toMatchObject({ status: 412, body: { current: { language: 'de', subject: OWN.de.subject } } });
  expect(stale.body).toMatchObject({ changedBy: { name: 'Avery Lindqvist' } });
});

test('records the language of changed texts, and changes to the email language', async () => {
  await save('en');
  await save('de');
  await portal.call(tryMailText, { params: CODE, query: { language: 'de' }, body: OWN.de }, admin);
  await setMailLanguage('de');
  await setMailLanguage('de');
  const { Items } = (await portal.call(listActivity, { query: { q: 'mail-' } }, admin)).body;
  expect(Items.map(({ action, object, changes }) => [action, object.name, changes.map(({ field }) => field)])).toEqual([
    ['mail-language.updated', 'Email language', ['language']],
    ['mail-text.tried', 'activation-code.de', []],
    ['mail-text.updated', 'activation-code.de', ['subject', 'body']],
    ['mail-text.updated', 'activation-code', ['subject', 'body']],
  ]);
});

test('lets only members who can edit emails choose the email language', async () => {
  const user = await portal.signIn(USER);
  const refused = await portal.call(saveMailLanguage, { body: { language: 'de' } }, user);
  expect(refused.body.resultName).toBe('INVALID_PERMISSIONS');
  expect((await list()).mailLanguage.language).toBe('en');
});

test('exports the texts in both languages and the email language in a world', { tags: 'whole' }, async () => {
  await save('en');
  await save('de');
  await setMailLanguage('de');
  const { world } = (await portal.call(readWorld, {})).body;
  await portal.lab.reset();
  expect((await portal.call(readWorld, {})).body.world).not.toEqual(world);
  await portal.lab.reset({ seed: world });
  expect((await portal.call(readWorld, {})).body.world).toEqual(world);
  admin = await portal.signIn(ADMIN);
  expect(await mail('en')).toMatchObject({ ...OWN.en, isOwn: true });
  expect(await mail('de')).toMatchObject({ ...OWN.de, isOwn: true });
  expect((await list()).mailLanguage.language).toBe('de');
});

test('treats texts without a language in a world or file as English, one per email and language', {
  tags: 'whole',
}, async () => {
  const world = (mails: object[]): World => ({
    organisations: [{ code: 'acme', mails, people: [{ email: ADMIN, role: 'SUPER_ADMIN' }] } as never],
  });
  const twice = [
    { ...CODE, ...OWN.en },
    { ...CODE, ...OWN.en, language: 'en' },
  ];
  await expect(portal.lab.reset({ seed: world(twice) })).rejects.toThrow('activation-code is already used');
  await portal.lab.reset({
    seed: world([
      { ...CODE, ...OWN.en },
      { ...CODE, ...OWN.de, language: 'de' },
    ]),
  });
  admin = await portal.signIn(ADMIN);
  expect(await mail('en')).toMatchObject(OWN.en);
  expect(await mail('de')).toMatchObject(OWN.de);
});

test('transfers both languages to another organisation and back in a configuration file', async () => {
  await save('en');
  await save('de');
  await setMailLanguage('de');
  const exportedBy = async ({ token }: AuthState) => {
    const { text } = await portal.http
      .get('/api/org/configuration?format=json')
      .set('Authorization', `Bearer ${token}`);
    return JSON.parse(text);
  };
  const importBy = (by: AuthState, configuration: World) =>
    portal.call(importConfiguration, { body: { configuration } }, by);
  const configuration = await exportedBy(admin);
  const [{ mails, mailLanguage }] = configuration.organisations;
  expect({ mails, mailLanguage }).toEqual({
    mailLanguage: 'de',
    mails: [
      { ...CODE, language: 'en', ...OWN.en },
      { ...CODE, language: 'de', ...OWN.de },
    ],
  });
  expect((await importBy(admin, configuration)).body.changes).toEqual([]);
  const english: World = { organisations: [{ code: 'acme', mails: [{ ...CODE, ...OWN.en }] }] };
  const compared = (await portal.call(checkConfiguration, { body: { configuration: english } }, admin)).body;
  expect(compared).toMatchObject({ changes: [], kept: expect.arrayContaining([{ ...GERMAN, name: GERMAN.id }]) });
  expect(compared.kept.filter(({ type }) => type === 'mail-text')).toHaveLength(1);
  const other = await portal.signIn('admin@globex.test');
  const file: World = { organisations: [{ code: 'acme', mails, mailLanguage }] };
  const { changes } = (await importBy(other, file)).body;
  expect(changes.map(({ object }) => object.id)).toEqual(['globex', 'activation-code', 'activation-code.de']);
  expect((await exportedBy(other)).organisations[0]).toMatchObject({ mails, mailLanguage });
});
