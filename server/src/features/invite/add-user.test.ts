import { type AddUserForm, type AuthState, addUser, getUser, listActivity, readOutbox } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setMember } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let admin: AuthState;
let helpdesk: AuthState;
beforeAll(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
  helpdesk = await portal.signIn('helpdesk.admin@acme.test');
});
afterAll(() => portal.close());

let number = 0;
const person = (form: Partial<AddUserForm> = {}) => {
  number += 1;
  const primaryEmail = `new.person.${number}@acme.test`;
  return { firstName: 'Nia', lastName: 'Okafor', primaryEmail, primaryAttr: `E-9${number}`, ...form };
};
const add = (form: Partial<AddUserForm> = {}, as = admin) => portal.call(addUser, { body: person(form) }, as);

test('adds a member with every form field filled in', async () => {
  const { suid: managerSuid } = (await portal.signIn('user@acme.test')).profile;
  const form = person({
    mobileNumber: '+46 70 999 00 11',
    roles: 'HELPDESK_ADMIN',
    managerSuid,
    hasPermissionForWindowsApp: false,
  });
  const { profile } = (await portal.call(addUser, { body: form }, admin)).body;
  const read = (await portal.call(getUser, { query: { suid: profile.suid } }, admin)).body.profile;
  expect(read).toMatchObject({
    firstName: 'Nia',
    primaryEmail: form.primaryEmail,
    primaryAttr: form.primaryAttr,
    role: 'HELPDESK_ADMIN',
    accountStatus: 'unregistered',
    emailVerified: false,
    hasPermissionForMobileApp: true,
    hasPermissionForWindowsApp: false,
  });
  const manager = (await portal.call(getUser, { query: { suid: managerSuid } }, admin)).body.profile;
  expect(manager.isManager).toBe(true);
  expect((await portal.call(readOutbox, { query: { to: form.primaryEmail } })).body.messages).toEqual([]);
  const { Items } = (await portal.call(listActivity, { query: {} }, admin)).body;
  expect(Items[0]).toMatchObject({ action: 'member.created', object: { id: profile.suid } });
});

test('issues a code and emails a link when adding a member with an invitation', async () => {
  const form = person({ invite: 'mobile' });
  const { profile } = (await portal.call(addUser, { body: form }, admin)).body;
  expect(profile.activationCode).toMatch(/^\d{6}$/);
  const { messages } = (await portal.call(readOutbox, { query: { to: form.primaryEmail } })).body;
  expect(messages).toHaveLength(1);
  expect(messages[0]?.links[0]).toContain('/api/user/activate?token=');
});

test.each<[string, Partial<AddUserForm>, string]>([
  ['EMAIL_EXISTS', { primaryEmail: 'user@acme.test' }, 'primaryEmail'],
  ['USER_EXISTS', { primaryAttr: 'E-10001' }, 'primaryAttr'],
  ['INVALID_DOMAIN', { primaryEmail: 'someone@elsewhere.example' }, 'primaryEmail'],
  ['INVALID_MOBILE_NUMBER', { mobileNumber: '12' }, 'mobileNumber'],
  ['ID_DOESNOT_EXIST', { roles: 'NOBODY' }, 'roles'],
  ['ID_DOESNOT_EXIST', { managerSuid: 'nobody' }, 'managerSuid'],
  ['MOBILE_APP_NOT_ENABLED', { invite: 'mobile', hasPermissionForMobileApp: false }, 'invite'],
  ['DESKTOP_APP_NOT_ENABLED', { invite: 'desktop', hasPermissionForWindowsApp: false }, 'invite'],
  ['INVALID_REQUEST', { firstName: '' }, 'firstName'],
  ['INVALID_REQUEST', { primaryAttr: 'E\u200b1' }, 'primaryAttr'],
])('%s: reports %j on its field and adds no member', async (name, form, path) => {
  const { body } = await add(form);
  expect(body).toMatchObject({ resultName: name, issues: [{ path }] });
  const { messages } = (await portal.call(readOutbox, { query: { to: `new.person.${number}@acme.test` } })).body;
  expect(messages).toEqual([]);
  // The email address is still free, unless it was the invalid field.
  if (path !== 'primaryEmail') {
    const again = { ...person(), primaryEmail: `new.person.${number - 1}@acme.test` };
    expect((await portal.call(addUser, { body: again }, admin)).status).toBe(200);
  }
});

test('rejects another member’s mobile number', async () => {
  setMember(portal, admin.profile.suid, { mobileNumber: '+46709990000' });
  const { body } = await add({ mobileNumber: '0046 709 990 000' });
  expect(body).toMatchObject({ resultName: 'PHONE_ALREADY_EXISTS', issues: [{ path: 'mobileNumber' }] });
});

test('requires permission to edit users, and every permission of the role, to assign a role', async () => {
  expect((await add({}, helpdesk)).status).toBe(200);
  expect((await add({ roles: 'CALL_CENTER_ADMIN' }, helpdesk)).status).toBe(200);
  const { body } = await add({ roles: 'SUPER_ADMIN' }, helpdesk);
  expect(body).toMatchObject({ resultName: 'INVALID_PERMISSIONS', issues: [{ path: 'roles' }] });
});

test('adds only one of two members with the same address concurrently', async () => {
  const form = person();
  const answers = await Promise.all([
    portal.call(addUser, { body: form }, admin),
    portal.call(addUser, { body: { ...form, primaryAttr: 'E-other' } }, admin),
  ]);
  expect(answers.map(({ body }) => body.resultName ?? 'added').sort()).toEqual(['EMAIL_EXISTS', 'added']);
});
