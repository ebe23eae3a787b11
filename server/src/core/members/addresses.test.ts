import {
  bulkInvite,
  inviteUsers,
  openActivationLink,
  previewApp,
  readOutbox,
  signup,
  updateUser,
  verifySignup,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Directory, directoryOf, userWith } from '#protocols/scim/testing.ts';
import { memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'super.admin@acme.test';
const NEWCOMER = 'mara.lindholm@acme.test';
const NEW_MEMBER = 'nora.new@acme.test';

let portal: TestPortal;
let directory: Directory;
beforeEach(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
});
afterEach(() => portal.close());

const isVerified = (email: string) => memberByEmail(portal, 'acme', email).emailVerifiedAt !== null;
const newest = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages[0];

/** Invites members by uploading a CSV file with one member per line. */
async function uploadCsv(...lines: string[]) {
  const { token } = await portal.signIn(ADMIN);
  const form = new FormData();
  for (const [name, value] of Object.entries({ type: 'mobile', sendEmail: 'true', uploadId: 'u-1' })) {
    form.append(name, value);
  }
  form.append('file', new File([['email,firstName,lastName,primaryAttr', ...lines].join('\n')], 'people.csv'));
  return (await portal.call(bulkInvite, { body: form }, { token })).body;
}

describe('an email address', () => {
  test('is verified by a sign-up code sent by email, but not by a code sent to a phone', async () => {
    const form = { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email: NEW_MEMBER };
    await portal.call(signup, { body: form });
    expect(isVerified(NEW_MEMBER)).toBe(false);
    await portal.call(verifySignup, {
      body: { orgCode: 'acme', email: NEW_MEMBER, otp: (await newest(NEW_MEMBER))?.code ?? '' },
    });
    expect(isVerified(NEW_MEMBER)).toBe(true);
    const other = { ...form, email: 'other.new@acme.test', mobileNumber: '+46701234567' };
    await portal.call(signup, { body: other });
    const otp = (await newest(other.mobileNumber))?.code ?? '';
    await portal.call(verifySignup, { body: { orgCode: 'acme', email: other.email, otp } });
    expect(memberByEmail(portal, 'acme', other.email).accountStatus).toBe('unregistered');
    expect(isVerified(other.email)).toBe(false);
  });

  test('is verified by the link in an invitation email', async () => {
    const { token } = await portal.signIn(ADMIN);
    await portal.call(inviteUsers, { body: { orgEmails: [NEWCOMER], type: 'mobile', sendEmail: true } }, { token });
    expect(isVerified(NEWCOMER)).toBe(false);
    const link = new URL((await newest(NEWCOMER))?.links[0] ?? '');
    await portal.call(openActivationLink, { query: { token: link.searchParams.get('token') ?? '' } });
    expect(isVerified(NEWCOMER)).toBe(true);
  });

  test('is verified by a directory if its domain is allowed, but not if no domains are listed', async () => {
    expect((await directory.send('POST', '/Users', userWith({ userName: NEW_MEMBER }))).status).toBe(201);
    expect(isVerified(NEW_MEMBER)).toBe(true);
    setOrganisation(portal, 'acme', { allowedEmailDomains: '[]' });
    const { id } = await directory.send('POST', '/Users', userWith({ userName: 'one@elsewhere.test' }));
    expect(isVerified('one@elsewhere.test')).toBe(false);
    setOrganisation(portal, 'acme', { allowedEmailDomains: '["acme.test"]' });
    await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: 'one@acme.test' }]);
    expect(isVerified('one@acme.test')).toBe(true);
  });

  test('stays verified when the directory resends the address', async () => {
    const { id } = await directory.send('POST', '/Users', userWith({ userName: NEW_MEMBER }));
    setMember(portal, id, { emailVerifiedAt: 7 });
    await directory.send('PUT', `/Users/${id}`, userWith({ userName: NEW_MEMBER, displayName: 'Nora Newer' }));
    expect(memberByEmail(portal, 'acme', NEW_MEMBER)).toMatchObject({ lastName: 'Newer', emailVerifiedAt: 7 });
  });

  test('is not verified by a file upload', async () => {
    await uploadCsv(`${NEW_MEMBER},Nora,New,N-1`);
    expect(isVerified(NEW_MEMBER)).toBe(false);
  });
});

describe('an email address outside the allowed domains', () => {
  const OUTSIDE = 'nora@elsewhere.test';

  test('is refused in an uploaded file, with its line number', async () => {
    const answer = await uploadCsv(`${OUTSIDE},Nora,New,N-1`, `${NEW_MEMBER},Nora,New,N-2`);
    expect(answer).toMatchObject({ created: 1, rejectedCount: 1, rejected: [{ value: OUTSIDE }] });
  });

  test('is refused in an invitation', async () => {
    const { token } = await portal.signIn(ADMIN);
    const body = { orgEmails: [OUTSIDE], type: 'mobile' as const, sendEmail: true };
    const answer = await portal.call(inviteUsers, { body }, { token });
    expect(answer.body).toMatchObject({ invited: 0, emailsNotExist: OUTSIDE });
  });

  test('is refused in a sign-up', async () => {
    const body = { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email: OUTSIDE };
    expect((await portal.call(signup, { body })).body).toMatchObject({
      resultName: 'INVALID_DOMAIN',
      issues: [{ path: 'email' }],
    });
  });

  test.each([
    ['creates', 'POST'],
    ['replaces', 'PUT'],
    ['patches', 'PATCH'],
  ])('is refused with a SCIM error if a directory %s the user', async (_done, method) => {
    const { suid } = memberByEmail(portal, 'acme', NEWCOMER);
    const path = method === 'POST' ? '/Users' : `/Users/${suid}`;
    const body = userWith({ userName: OUTSIDE });
    const answer =
      method === 'PATCH'
        ? await directory.patch(path, [{ op: 'replace', path: 'emails[type eq "work"].value', value: OUTSIDE }])
        : await directory.send(method, path, body);
    expect(answer).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue', detail: expect.stringContaining('acme.test') },
    });
  });

  test("is kept if it's already the member's address, even when other fields are edited", async () => {
    const { suid } = memberByEmail(portal, 'acme', NEWCOMER);
    setMember(portal, suid, { primaryEmail: OUTSIDE });
    const { token } = await portal.signIn(ADMIN);
    const form = { primaryAttr: 'E-11020', suid, firstName: 'Mara', lastName: 'Changed', primaryEmail: OUTSIDE };
    expect((await portal.call(updateUser, { body: form }, { token })).body.resultCode).toBe(0);
    const body = userWith({ userName: OUTSIDE, displayName: 'Mara Again' });
    expect((await directory.send('PUT', `/Users/${suid}`, body)).status).toBe(200);
  });
});

test('includes the verification status of the email address in tokens', async () => {
  const { token } = await portal.signIn(ADMIN);
  const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
  const emailsSent = async () => {
    const params = { orgCode: 'acme', appId: 'team-wiki' };
    const { preview } = (await portal.call(previewApp, { params, query: { suid } }, { token })).body;
    return preview.protocol === 'oidc' ? [preview.idToken.email_verified, preview.userinfo.email_verified] : [];
  };
  expect(await emailsSent()).toEqual([true, true]);
  setMember(portal, suid, { emailVerifiedAt: null });
  expect(await emailsSent()).toEqual([false, false]);
});
