import {
  codeOf,
  emailActivationCode,
  inviteUsers,
  openActivationLink,
  readOutbox,
  regenerateActivationCode,
} from '@orchestrate/shared';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

const NEWCOMER = 'mara.lindholm@acme.test';
const HOUR = 3_600;

const mails = async () => (await portal.call(readOutbox, { query: { to: NEWCOMER } })).body.messages;
const suid = () => memberByEmail(portal, 'acme', NEWCOMER).suid;

/** Sends an invitation and returns its link. */
async function invited(type: 'mobile' | 'desktop' = 'mobile'): Promise<string> {
  const { token } = await portal.signIn('super.admin@acme.test');
  await portal.call(inviteUsers, { body: { orgEmails: [NEWCOMER], type, sendEmail: true } }, { token });
  return (await mails())[0]?.links[0] ?? '';
}
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';
const follow = (link: string) => portal.call(openActivationLink, { query: { token: tokenOf(link) } });

/** Opens the link in a browser and returns where it redirects to. */
async function browse(link: string): Promise<string | undefined> {
  const { status, headers } = await request(link).get('').accept('text/html,application/xhtml+xml,*/*;q=0.8');
  expect(status).toBe(302);
  expect(headers['cache-control']).toBe('no-store');
  return headers.location;
}
const activate = (activationCode: string, type: 'mobile' | 'desktop' = 'mobile') =>
  portal.authenticator.activate({
    orgCode: 'acme',
    email: NEWCOMER,
    activationCode,
    device: { name: 'First', type, platform: 'Android 16' },
  });

test('registers the first device and signs in after an invitation, through its link and code', async () => {
  const link = await invited();
  expect(await browse(link)).toBe('/static/activation-sent');
  const [mail] = await mails();
  expect(mail).toMatchObject({ subject: 'Your activation code for Acme Corporation', code: expect.any(String) });
  const { device } = await activate(mail?.code ?? '');
  expect(await portal.authenticator.pending(device)).toEqual([]);
});

test('returns the result as JSON to clients that aren’t browsers', async () => {
  const { status, body } = await follow(await invited());
  expect({ status, body }).toEqual({ status: 200, body: { resultCode: 0, orgCode: 'acme', email: NEWCOMER } });
});

test('keeps a link usable but emails nothing while the app is off (AUTHENTICATOR_DISALLOWED)', async () => {
  const link = await invited('desktop');
  const before = (await mails()).length;
  setOrganisation(portal, 'acme', { desktopAppEnabled: 0 });
  expect((await follow(link)).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
  expect(await mails()).toHaveLength(before);
  setOrganisation(portal, 'acme', { desktopAppEnabled: 1 });
  expect((await follow(link)).body.resultCode).toBe(0);
});

test('emails the current code when a link is opened, or a new code if it has expired', async () => {
  const first = await invited();
  const second = await invited();
  await follow(first);
  const [sent] = await mails();
  portal.clock.advance(HOUR);
  await follow(second);
  expect((await mails())[0]?.code).toBe(sent?.code);
  const third = await invited();
  portal.clock.advance(25 * HOUR);
  await follow(third);
  const code = (await mails())[0]?.code ?? '';
  expect((await activate(code)).profile.active).toBe(true);
});

// covers: spec 1.2.57
test('shows the same page and sends no email if a link is reopened while its code is valid', async () => {
  const [one, other] = [await invited(), await invited()];
  expect(await browse(one)).toBe('/static/activation-sent');
  const sent = (await mails()).length;
  portal.clock.advance(12 * HOUR);
  expect(await browse(one)).toBe('/static/activation-sent');
  expect((await follow(one)).body).toEqual({ resultCode: 0, orgCode: 'acme', email: NEWCOMER });
  expect(await mails()).toHaveLength(sent);
  expect((await follow(other)).body.resultCode).toBe(0);
  expect(await mails()).toHaveLength(sent + 1);
});

test('emails a new code if an email scanner opened the link days ago', async () => {
  const link = await invited();
  await follow(link);
  const [first] = await mails();
  portal.clock.advance(3 * 24 * HOUR);
  expect(await browse(link)).toBe('/static/activation-sent');
  const [second] = await mails();
  expect(second?.id).not.toBe(first?.id);
  expect((await activate(second?.code ?? '')).profile.active).toBe(true);
});

test('emails a newer code when an already opened link is opened again', async () => {
  const link = await invited();
  await follow(link);
  portal.clock.advance(60);
  const { token } = await portal.signIn('super.admin@acme.test');
  const { primaryAttr } = memberByEmail(portal, 'acme', NEWCOMER);
  const body = { email: NEWCOMER, primaryAttr, type: 'mobile' as const };
  const issued = (await portal.call(regenerateActivationCode, { body }, { token })).body.activationCode;
  await follow(link);
  expect((await mails())[0]).toMatchObject({ code: issued });
  const sent = (await mails()).length;
  await follow(link);
  expect(await mails()).toHaveLength(sent);
});

test('limits repeated emails and says when to retry (ACTIVATION_LINK_CLICKED_TOO_SOON)', async () => {
  const link = await invited();
  await follow(link);
  const lock = () =>
    portal.deps.db.$client
      .prepare("UPDATE activation_codes SET wrongTries = 5 WHERE suid = ? AND type = 'mobile'")
      .run(suid());
  for (let again = 0; again < 3; again += 1) {
    lock();
    expect((await follow(link)).body.resultCode).toBe(0);
  }
  const sent = (await mails()).length;
  lock();
  const later = portal.clock.iso(portal.clock.now() + 4 * HOUR * 1_000);
  expect(await browse(link)).toBe(`/static/link-early?validFrom=${encodeURIComponent(later)}`);
  expect((await follow(link)).body.resultName).toBe('ACTIVATION_LINK_CLICKED_TOO_SOON');
  expect(await mails()).toHaveLength(sent);
  portal.clock.advance(4 * HOUR);
  expect((await follow(link)).body.resultCode).toBe(0);
  expect(await mails()).toHaveLength(sent + 1);
});

test('invalidates all links to an app when a device is registered for it', async () => {
  setMember(portal, suid(), { hasPermissionForWindowsApp: 1 });
  const [one, other] = [await invited('desktop'), await invited('desktop')];
  await follow(one);
  await activate((await mails())[0]?.code ?? '', 'desktop');
  const sent = (await mails()).length;
  for (const link of [one, other]) {
    expect((await follow(link)).body.resultName).toBe('USER_ALREADY_ACTIVE');
    expect(await browse(link)).toBe('/static/link-invalid');
  }
  portal.deps.db.$client.prepare("UPDATE devices SET status = 'removed' WHERE suid = ?").run(suid());
  expect((await follow(one)).body.resultName).toBe('EXPIRED');
  expect(await mails()).toHaveLength(sent);
});

test('sends one code for five concurrent visits to a link, which all succeed', async () => {
  const link = await invited();
  const before = (await mails()).length;
  const codes = (await Promise.all(Array.from({ length: 5 }, () => follow(link)))).map(({ body }) => body.resultCode);
  expect(codes).toEqual([0, 0, 0, 0, 0]);
  expect(await mails()).toHaveLength(before + 1);
});

// covers: security 3.5.3
test('does not open a link for HEAD and prefetch requests', async () => {
  const link = await invited();
  const before = (await mails()).length;
  await request(link).head('');
  for (const [header, value] of [
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Purpose', 'prefetch'],
  ] as const) {
    // Browsers discard prefetched pages with an error status and request them again when needed.
    expect((await request(link).get('').accept('text/html').set(header, value)).status).toBe(400);
  }
  expect(await mails()).toHaveLength(before);
  expect((await follow(link)).body.resultCode).toBe(0);
  expect(await mails()).toHaveLength(before + 1);
});

// covers: spec 1.7.13
test('replaces a code that is past half of its lifetime instead of emailing it', async () => {
  const link = await invited();
  const { token } = await portal.signIn('super.admin@acme.test');
  const { primaryAttr } = memberByEmail(portal, 'acme', NEWCOMER);
  const body = { email: NEWCOMER, primaryAttr, type: 'mobile' as const };
  const mailed = async () => portal.call(emailActivationCode, { body }, await portal.signIn('super.admin@acme.test'));
  const first = (await portal.call(regenerateActivationCode, { body }, { token })).body.activationCode;
  portal.clock.advance(12 * HOUR);
  expect((await mailed()).body).toMatchObject({ resultCode: codeOf('CODE_RESENT'), activationCode: first });
  portal.clock.advance(1);
  const second = (await mailed()).body;
  expect(second).toMatchObject({
    resultCode: 0,
    activationExpiry: portal.clock.iso(portal.clock.now() + 24 * HOUR * 1_000),
  });
  portal.clock.advance(23.95 * HOUR);
  await follow(link);
  const [mail] = await mails();
  expect(mail?.code).not.toBe(second.activationCode);
  portal.clock.advance(12 * HOUR);
  expect((await activate(mail?.code ?? '')).profile.active).toBe(true);
});

// covers: spec 1.2.57
test('expires a link a week after the invitation (EXPIRED)', async () => {
  const link = await invited();
  portal.clock.advance(7 * 24 * HOUR - 1);
  const later = await invited();
  portal.clock.advance(1);
  expect((await follow(link)).body.resultName).toBe('EXPIRED');
  expect((await follow(later)).body.resultCode).toBe(0);
});

// covers: spec 1.2.58, spec 2.8.18
test('returns the start time of a link opened too soon (ACTIVATION_LINK_CLICKED_TOO_SOON)', async () => {
  setOrganisation(portal, 'acme', { activationLinkDelayHours: 2 });
  const link = await invited();
  const validFrom = portal.clock.iso(portal.clock.now() + 2 * HOUR * 1_000);
  const page = await browse(link);
  expect(page).toBe(`/static/link-early?validFrom=${encodeURIComponent(validFrom)}`);
  const { status, body } = await follow(link);
  expect({ status, code: body.resultCode }).toEqual({ status: 200, code: 64 });
  expect(body.message).toContain(validFrom);
  portal.clock.advance(2 * HOUR - 1);
  expect((await follow(link)).body.resultName).toBe('ACTIVATION_LINK_CLICKED_TOO_SOON');
  portal.clock.advance(1);
  expect((await follow(link)).body.resultCode).toBe(0);
});

// covers: spec 2.8.18
test.each([
  ['unknown', 'A'.repeat(43)],
  ['empty', ''],
  ['malformed', '%00<script>'.repeat(100)],
])('rejects a token that is %s (HEX_STRING_MISMATCH)', async (_what, token) => {
  expect((await portal.call(openActivationLink, { query: { token } })).body.resultName).toBe('HEX_STRING_MISMATCH');
  const link = `${portal.url}/api/user/activate?token=${encodeURIComponent(token)}`;
  expect(await browse(link)).toBe('/static/link-invalid');
});

test('shows an error page if the token is missing', async () => {
  expect(await browse(`${portal.url}/api/user/activate`)).toBe('/static/link-invalid');
});

test.each([`token=${'a'.repeat(2_001)}`, 'token=a&token=b', 'token[]=a'])(
  'redirects malformed tokens to the same error page: %#',
  async (query) => {
    expect(await browse(`${portal.url}/api/user/activate?${query}`)).toBe('/static/link-invalid');
  },
);

// covers: spec 2.8.18
test('refuses requests from addresses that aren’t allowed (IP_NOT_VALID)', async () => {
  const link = await invited();
  setOrganisation(portal, 'acme', { allowedIps: '["10.0.0.0/8"]' });
  expect(await browse(link)).toBe('/static/ip-blocked');
  expect(await follow(link)).toMatchObject({ status: 403, body: { resultName: 'IP_NOT_VALID' } });
  setOrganisation(portal, 'acme', { allowedIps: '["127.0.0.0/8","::1"]' });
  expect((await follow(link)).body.resultCode).toBe(0);
});

test('invalidates a link when its member’s address, status or permission changes', async () => {
  const link = await invited();
  const member = suid();
  const resultWith = async (fields: Parameters<typeof setMember>[2]) => {
    const usual = { primaryEmail: NEWCOMER, accountStatus: 'unregistered', hasPermissionForMobileApp: 1 };
    setMember(portal, member, { ...usual, ...fields });
    return (await follow(link)).body.resultCode;
  };
  expect(await resultWith({ primaryEmail: 'mara.new@acme.test' })).toBe(62);
  expect(await resultWith({ accountStatus: 'inactive' })).toBe(35);
  expect(await resultWith({ accountStatus: 'deleted' })).toBe(63);
  expect(await resultWith({ hasPermissionForMobileApp: 0 })).toBe(88);
  expect(await resultWith({})).toBe(0);
});

test('sends no code to a member who has activated in the meantime (USER_ALREADY_ACTIVE)', async () => {
  const link = await invited();
  const first = await invited();
  await follow(first);
  await activate((await mails())[0]?.code ?? '');
  expect((await follow(link)).body.resultName).toBe('USER_ALREADY_ACTIVE');
  expect(await browse(link)).toBe('/static/link-invalid');
});

// covers: spec 1.7.13, spec 2.8.18
test('emails a valid code again (CODE_RESENT), otherwise a new code', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { primaryAttr } = memberByEmail(portal, 'acme', NEWCOMER);
  const mailAgain = () =>
    portal.call(
      emailActivationCode,
      { body: { email: NEWCOMER, primaryAttr, type: 'desktop', sendEmail: true } },
      { token },
    );
  const fresh = await mailAgain();
  expect(fresh.body).toMatchObject({ resultCode: 0, activationCode: expect.stringMatching(/^\d{6}$/) });
  const again = await mailAgain();
  expect(again.body).toEqual({ ...fresh.body, resultCode: codeOf('CODE_RESENT') });
  expect((await mails()).slice(0, 2).map(({ code }) => code)).toEqual(Array(2).fill(fresh.body.activationCode));
  for (let tries = 0; tries < 5; tries += 1) {
    const wrong = fresh.body.activationCode === '111111' ? '222222' : '111111';
    await expect(activate(wrong, 'desktop')).rejects.toThrow();
  }
  expect((await mailAgain()).body.resultCode).toBe(0);
  portal.clock.advance(25 * HOUR);
  const next = await portal.signIn('super.admin@acme.test');
  const late = await portal.call(
    emailActivationCode,
    { body: { email: NEWCOMER, primaryAttr, type: 'desktop', sendEmail: true } },
    { token: next.token },
  );
  expect(late.body.resultCode).toBe(0);
});

test('requires the permission and an eligible member to email a code (USER_ALREADY_ACTIVE)', async () => {
  const mailTo = async (email: string, by: string) => {
    const { token } = await portal.signIn(by);
    const { primaryAttr } = memberByEmail(portal, 'acme', email);
    const body = { email, primaryAttr, type: 'mobile' as const, sendEmail: true };
    return (await portal.call(emailActivationCode, { body }, { token })).body.resultCode;
  };
  expect(await mailTo('user@acme.test', 'super.admin@acme.test')).toBe(30);
  expect(await mailTo('omar.hassan@acme.test', 'super.admin@acme.test')).toBe(35);
  expect(await mailTo(NEWCOMER, 'security.admin@acme.test')).toBe(32);
  expect(await mailTo(NEWCOMER, 'callcenter.admin@acme.test')).not.toBe(32);
});
