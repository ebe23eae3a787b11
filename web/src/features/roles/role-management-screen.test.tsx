import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { createRole, listRoles, PERMISSIONS, updateUser } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { fill, tabTo, user } from '#testing.ts';
import RoleManagementScreen from './role-management-screen.tsx';

const ADMIN = 'super.admin@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const open = (email = ADMIN, search = '') =>
  visitSignedIn(portal, email, paths.roleManagement + search, <RoleManagementScreen />);

const rowOf = async (name: string) => {
  const row = (await screen.findByRole('link', { name })).closest('tr');
  if (!row) throw new Error(`${name} is not in a table.`);
  return within(row);
};

const rolesOf = async (token: string) => (await portal.call(listRoles, {}, { token })).body.Items;

// covers: spec 2.2.49
test("lists roles, admin roles first, with each role's permissions for users", async () => {
  await open();
  await rowOf('Super Admin');
  const names = within(screen.getByRole('table', { name: 'Roles' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
  expect(names.slice(0, 5)).toEqual([
    'Super Admin',
    'Help Desk Admin',
    'Security Admin',
    'Call Center Admin',
    'Org User',
  ]);
  const helpDesk = (await rowOf('Help Desk Admin')).getAllByRole('img').map((tick) => tick.getAttribute('aria-label'));
  expect(helpDesk).toEqual([
    'Can invite users (BULK_INVITE)',
    'Can create users (BULK_INVITE)',
    'Can update users (UPDATE_USER)',
    "Can't delete users (requires REMOVE_USER)",
  ]);
});

// covers: spec 2.3.10
test('shows every permission of a system role read-only', async () => {
  await open();
  await user.click(await screen.findByRole('link', { name: 'Org User' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Org User' }));
  expect(dialog.getAllByRole('listitem')).toHaveLength(PERMISSIONS.length);
  expect(dialog.getAllByRole('img', { name: 'Granted' })).toHaveLength(3);
  expect(dialog.queryByRole('button', { name: /Edit role|Delete role/ })).toBeNull();
});

test('shows recent changes to a custom role but not to a system role', {
  tags: 'whole',
}, async () => {
  await open();
  await user.click(await screen.findByRole('link', { name: 'Org User' }));
  const fixed = within(await screen.findByRole('dialog', { name: 'Org User' }));
  expect(fixed.queryByRole('region', { name: 'Activity' })).toBeNull();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(await screen.findByRole('link', { name: 'Auditor' }));
  await screen.findByRole('region', { name: 'Activity' });
});

// covers: spec 2.1.7, spec 2.5.21
test('creates a role with a name and permissions and lists it', async () => {
  const { token } = await open();
  await rowOf('Org User');
  await user.click(screen.getByRole('button', { name: 'Create role' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create role' }));
  await fill(dialog.getByRole('textbox', { name: /Name/ }), 'org  user');
  await user.click(dialog.getByRole('checkbox', { name: 'Users' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Delete users' }));
  await user.click(dialog.getByRole('button', { name: 'Create role' }));
  await dialog.findByText('A role already has this name');
  await fill(dialog.getByRole('textbox', { name: /Name/ }), 'Front desk');
  await user.click(dialog.getByRole('button', { name: 'Create role' }));
  const row = await rowOf('Front desk');
  row.getByRole('img', { name: /^Can update users/ });
  row.getByRole('img', { name: /^Can't delete users/ });
  const created = (await rolesOf(token)).find(({ name }) => name === 'Front desk');
  expect(created?.permissions).toEqual(['SEARCH_USER', 'UPDATE_USER', 'PAUSE_USER', 'BULK_INVITE']);
});

// covers: spec 2.6.4
test('disables permissions that no role can grant and explains why', async () => {
  await open(ADMIN, '?dialog=create');
  const dialog = within(await screen.findByRole('dialog', { name: 'Create role' }));
  const reports = dialog.getByRole('checkbox', { name: 'See direct reports' });
  await user.click(reports);
  expect(reports).toMatchObject({ checked: false });
  await user.hover(reports);
  await screen.findByText('Only members with direct reports have this permission');
});

// covers: spec 2.6.2
test('disables creating a sixth custom role and explains why', async () => {
  const { token } = await portal.signIn(ADMIN);
  for (let at = 1; at <= 3; at += 1) {
    await portal.call(createRole, { body: { name: `Role ${at}`, permissions: [] } }, { token });
  }
  await open();
  await screen.findByText('5 of 5 custom roles');
  const create = screen.getByRole('button', { name: 'Create role' });
  expect(create.getAttribute('aria-disabled')).toBe('true');
  await tabTo(create);
  await screen.findByText('Custom Role Limit Reached');
});

test('explains before a role is deleted what happens to its members', async () => {
  const { token } = await open();
  const [custom] = (await rolesOf(token)).filter(({ type, userCount }) => type === 'custom' && userCount > 0);
  if (!custom) throw new Error('The demo has no custom role with users.');
  await user.click(await screen.findByRole('link', { name: custom.name }));
  const dialog = within(await screen.findByRole('dialog', { name: custom.name }));
  await user.click(dialog.getByRole('button', { name: 'Delete role' }));
  const question = within(await screen.findByRole('alertdialog'));
  question.getByText(/^Its \d+ members? becomes? (an )?Org Users?\.$/);
  await user.click(question.getByRole('button', { name: 'Delete role' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: custom.name })).toBeNull());
  expect((await rolesOf(token)).some(({ roleCode }) => roleCode === custom.roleCode)).toBe(false);
});

test("duplicates a role without permissions that the user can't grant", { tags: 'whole' }, async () => {
  const { token } = await open();
  await user.click(await screen.findByRole('link', { name: 'Help Desk Admin' }));
  await user.click(await screen.findByRole('button', { name: 'Duplicate role' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Duplicate Help Desk Admin' }));
  expect(window.location.search).toBe('?role=HELPDESK_ADMIN&dialog=duplicate');
  expect(dialog.queryByText(/copied because/)).toBeNull();
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /Name/ }).value).toBe('Copy of Help Desk Admin');
  await user.click(dialog.getByRole('button', { name: 'Create role' }));
  await rowOf('Copy of Help Desk Admin');
  const roles = await rolesOf(token);
  const permissionsOf = (name: string) => roles.find((role) => role.name === name)?.permissions;
  expect(permissionsOf('Copy of Help Desk Admin')).toEqual(permissionsOf('Help Desk Admin'));
});

test('reports how many permissions are missing from the copy', { tags: 'whole' }, async () => {
  const admin = await portal.signIn(ADMIN);
  const permissions = ['SEARCH_USER', 'CREATE_CUSTOM_ROLES'] as const;
  const { roleCode } = (
    await portal.call(createRole, { body: { name: 'Founder', permissions: [...permissions] } }, admin)
  ).body;
  const { primaryAttr, firstName, lastName, email } = (await portal.signIn('user@acme.test')).profile;
  const person = { primaryAttr, firstName, lastName, primaryEmail: email, roles: roleCode };
  await portal.call(updateUser, { body: person }, admin);
  await open('user@acme.test', '?role=CALL_CENTER_ADMIN&dialog=duplicate');
  const dialog = within(await screen.findByRole('dialog', { name: 'Duplicate Call Center Admin' }));
  expect(dialog.getByText("6 permissions aren't copied because you can't grant them.")).toBeTruthy();
  await fill(dialog.getByRole('textbox', { name: /Name/ }), 'Searchers');
  await user.click(dialog.getByRole('button', { name: 'Create role' }));
  await rowOf('Searchers');
  const created = (await rolesOf(admin.token)).find(({ name }) => name === 'Searchers');
  expect(created?.permissions).toEqual(['SEARCH_USER']);
});
