import {
  type AuthState,
  deleteMailText,
  inviteUsers,
  LIMITS,
  listActivity,
  listMailTexts,
  MAILS,
  type MailName,
  type MailWords,
  previewMailText,
  readOutbox,
  readWorld,
  regenerateActivationCode,
  saveMailText,
  tryMailText,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'super.admin@acme.test';
const NEWCOMER = 'mara.lindholm@acme.test';

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn(ADMIN);
});
afterEach(() => portal.close());

const OWN: MailWords = {
  subject: 'Welcome to ${organisation|upper}, ${firstName}',
  body: 'Here is your code:\n\n${code}\n\nIt ends at ${expiresAt}.\n\n> Ask the desk at extension 100.',
};
const list = async (by = admin) => (await portal.call(listMailTexts, {}, by)).body.mails;
const mail = async (name: MailName) => {
  const found = (await list()).find((one) => one.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
};
const save = (name: MailName, body: MailWords, by: AuthState = admin, ifMatch?: string) =>
  portal.call(saveMailText, { params: { name }, body }, { token: by.token, ...(ifMatch && { ifMatch }) });
const preview = (name: MailName, body: MailWords) => portal.call(previewMailText, { params: { name }, body }, admin);
const lastMailTo = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages[0];

async function sendCode(): Promise<string> {
  const { primaryAttr } = memberByEmail(portal, 'acme', NEWCOMER);
  const body = { email: NEWCOMER, primaryAttr, type: 'mobile' as const, sendEmail: true };
  await portal.call(regenerateActivationCode, { body }, admin);
  return (await lastMailTo(NEWCOMER))?.code ?? '';
}

test('uses an email’s custom texts until they are reset to the defaults', async () => {
  expect((await save('activation-code', OWN)).body.mail).toMatchObject({ ...OWN, isOwn: true });
  const code = await sendCode();
  const sent = await lastMailTo(NEWCOMER);
  expect(sent?.subject).toBe('Welcome to ACME CORPORATION, Mara');
  expect(sent?.text).toMatch(
    new RegExp(
      `^Hello Mara,\n\nHere is your code:\n\n${code}\n\nIt ends at .* UTC.\n\nAsk the desk at extension 100.\n\nAcme`,
    ),
  );
  expect(sent?.html).toContain(`>${code}</p>`);
  expect(sent?.html).toContain('class="soft"');
  const dropped = await portal.call(deleteMailText, { params: { name: 'activation-code' } }, admin);
  expect(dropped.body.mail).toMatchObject({ isOwn: false, subject: 'Your activation code for ${organisation}' });
  expect((await lastMailTo(NEWCOMER))?.subject).toBe('Your activation code for Acme Corporation');
  const again = await portal.call(deleteMailText, { params: { name: 'activation-code' } }, admin);
  expect(again.body.mail).toMatchObject({ isOwn: false });
});

test('renders a link as a button with the organisation’s label', async () => {
  await save('invitation', { subject: 'Come in', body: 'Please.\n\n[Open the door](${link})' });
  const body = { orgEmails: [NEWCOMER], type: 'mobile' as const, sendEmail: true };
  await portal.call(inviteUsers, { body }, admin);
  const sent = await lastMailTo(NEWCOMER);
  expect(sent?.text).toContain('Open the door:\nhttp');
  expect(sent?.html).toContain('>Open the door</a>');
});

test('links to the sign-in page in emails that ask people to sign in', async () => {
  const address = `${portal.url}/acme/sign-in`;
  const mails = await list();
  const linked = await Promise.all(
    mails.map(async ({ name, subject, body }) => {
      const { text } = (await preview(name, { subject, body })).body;
      return text.includes(`\n\nSign in:\n${address}\n`) ? [name] : [];
    }),
  );
  expect(linked.flat()).toEqual(['new-device', 'device-lost', 'email-change', 'security-alert', 'sign-up-known']);
  const own = { subject: 'New device', body: 'Look at it.\n\n[Your devices](${link})\n\nOr open ${link}' };
  const { html } = (await preview('new-device', own)).body;
  expect(html).toContain(`href="${address}"`);
  expect(html).toContain('>Your devices</a>');
  expect(html).toContain(`Or open ${address}`);
});

test('accepts every email’s default texts unchanged and renders them identically', async () => {
  const mails = await list();
  expect(mails.map(({ name }) => name)).toEqual([...MAILS]);
  for (const { name, subject, body, standard, variables } of mails) {
    expect({ subject, body }).toEqual(standard);
    const displayed = await preview(name, { subject, body });
    expect(displayed.status).toBe(200);
    expect(displayed.body.text).toMatch(/^Hello Robin,\n\n[\s\S]+\n\nAcme Corporation\n$/);
    expect(displayed.body.text + displayed.body.subject).not.toContain('${');
    for (const variable of variables) expect(variable.meaning).not.toBe('');
  }
});

describe('email texts', () => {
  const refused = (path: string, message: string) => ({
    status: 400,
    body: { resultName: 'INVALID_REQUEST', issues: [{ path, message: expect.stringContaining(message) }] },
  });
  test.each([
    ['a subject with an unknown variable', { ...OWN, subject: '${nobody}' }, 'subject', 'not a variable'],
    ['a subject with the code', { ...OWN, subject: 'Code ${code}' }, 'subject', 'in its own paragraph'],
    ['an unclosed variable', { ...OWN, body: '${code}\n\n${firstName' }, 'body', 'Unclosed ${'],
    ['a body without the code', { ...OWN, body: 'Hello' }, 'body', 'Put ${code}'],
    ['a code inside a sentence', { ...OWN, body: 'It is ${code}.' }, 'body', 'Put ${code}'],
    ['two codes', { ...OWN, body: '${code}\n\n${code}' }, 'body', 'Put ${code}'],
    ['two codes', { ...OWN, body: '${code}\n\n> ${code|upper}' }, 'body', 'Put ${code}'],
    ['the link of another email', { ...OWN, body: '${code}\n\n[x](${link})' }, 'body', 'not a variable'],
    ['an empty body', { ...OWN, body: ' ' }, 'body', 'required'],
    ['a subject that contains a line break', { ...OWN, subject: 'a\nBcc: x@y.test' }, 'subject', ''],
    ['an overlong body', { ...OWN, body: `\${code}\n\n${'x'.repeat(4_000)}` }, 'body', '4000'],
  ])('are rejected with %s', async (_what, words, path, message) => {
    expect(await save('activation-code', words)).toMatchObject(refused(path, message));
    expect(await preview('activation-code', words)).toMatchObject(refused(path, message));
    expect((await mail('activation-code')).isOwn).toBe(false);
  });

  test('are rejected with a button inside a sentence', async () => {
    const body = 'See [your devices](${link}).';
    expect(await save('new-device', { subject: 'New device', body })).toMatchObject(refused('body', 'own paragraph'));
  });

  test('are rejected without the link in an invitation', async () => {
    for (const body of ['Hello', '${link}', '[a](${link})\n\n[b](${link})', 'See [a](${link}).']) {
      expect(await save('invitation', { subject: 'Hi', body })).toMatchObject(refused('body', 'Put [your words]'));
    }
  });
});

test('never lets a value become markup, a paragraph or a header', async () => {
  const words = { subject: 'About ${deviceName}', body: '${deviceName}\n\n<b>${deviceName}</b>' };
  const { html } = (await preview('device-lost', words)).body;
  expect(html).toContain('&lt;b&gt;Pixel 10&lt;/b&gt;');
});

test('sends the administrator a test email with unsaved texts', async () => {
  const { body } = await portal.call(tryMailText, { params: { name: 'activation-code' }, body: OWN }, admin);
  expect(body.to).toBe(ADMIN);
  const sent = await lastMailTo(ADMIN);
  expect(sent).toMatchObject({ subject: 'Welcome to ACME CORPORATION, Avery' });
  expect(sent?.text).toContain('Hello Avery,\n\nHere is your code:\n\n482913');
  expect((await mail('activation-code')).isOwn).toBe(false);
});

test('limits each administrator to twenty test emails an hour (ORG_EMAIL_LIMIT_REACHED)', async () => {
  const tryOne = async (by = admin) =>
    (await portal.call(tryMailText, { params: { name: 'activation-code' }, body: OWN }, by)).body;
  for (let sent = 0; sent < LIMITS.triedMailsPerHour; sent += 1) expect((await tryOne()).to).toBe(ADMIN);
  expect((await tryOne()).resultName).toBe('ORG_EMAIL_LIMIT_REACHED');
  expect((await tryOne(await portal.signIn('admin@globex.test'))).to).toBe('admin@globex.test');
  portal.clock.advance(3_601);
  expect((await tryOne(await portal.signIn(ADMIN))).to).toBe(ADMIN);
});

test('detects conflicting edits and records the changes', async () => {
  const { version } = await mail('activation-code');
  await save('activation-code', OWN, admin, version);
  const stale = await save('activation-code', { ...OWN, subject: 'Mine' }, admin, version);
  expect(stale.status).toBe(412);
  expect((await mail('activation-code')).subject).toBe(OWN.subject);
  const { Items } = (await portal.call(listActivity, { query: { q: 'mail-text' } }, admin)).body;
  expect(Items.map(({ action, object }) => [action, object.name])).toEqual([['mail-text.updated', 'activation-code']]);
});

test('requires the permission and changes only the member’s own organisation', async () => {
  const user = await portal.signIn('user@acme.test');
  expect((await save('activation-code', OWN, user)).body.resultName).toBe('INVALID_PERMISSIONS');
  const other = await portal.signIn('admin@globex.test');
  await save('activation-code', OWN, other);
  expect((await mail('activation-code')).isOwn).toBe(false);
});

test('exports the texts in a world', { tags: 'whole' }, async () => {
  await save('activation-code', OWN);
  const { world } = (await portal.call(readWorld, {})).body;
  await portal.lab.reset({ seed: world });
  admin = await portal.signIn(ADMIN);
  expect(await mail('activation-code')).toMatchObject({ ...OWN, isOwn: true });
  await portal.lab.reset();
  admin = await portal.signIn(ADMIN);
  expect((await mail('activation-code')).isOwn).toBe(false);
});
