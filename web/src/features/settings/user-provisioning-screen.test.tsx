import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  getProfile,
  getScimCredentials,
  listScimSchemas,
  listScimTokens,
  manageUser,
  renewScimCredentials,
} from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import UserProvisioningScreen from './user-provisioning-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const open = (email: string) =>
  visitSignedIn(portal, email, '/org-settings/user-provisioning', <UserProvisioningScreen />);
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const shownPassword = () => screen.getByRole('group', { name: /^Password/ }).textContent;

// covers: spec 2.1.6, spec 2.2.48
test('replaces credentials after confirmation', async () => {
  const { token } = await open('super.admin@acme.test');
  const { password: old } = (await portal.call(getScimCredentials, {}, { token })).body;
  await press('Reveal Password');
  expect(shownPassword()).toBe(old);

  await press('Regenerate');
  const dialog = await screen.findByRole('alertdialog', { name: 'Regenerate credentials' });
  await user.click(within(dialog).getByRole('button', { name: 'Regenerate' }));
  await screen.findByText('New credentials generated');
  const { password } = (await portal.call(getScimCredentials, {}, { token })).body;
  expect(password).not.toBe(old);
  await waitFor(() => expect(shownPassword()).toBe('•'.repeat(12)));
  await press('Reveal Password');
  expect(shownPassword()).toBe(password);
});

// covers: spec 2.2.48
test('generates the first credentials', async () => {
  await open('admin@globex.test');
  await screen.findByRole('heading', { name: 'No credentials yet' });
  await press('Generate');
  await screen.findByRole('button', { name: 'Regenerate' });
});

test('shows who created the credentials and which roles a directory can assign', async () => {
  await open('super.admin@acme.test');
  const note = await screen.findByText(/^Created by Avery Lindqvist on .*\. Your directory can assign/);
  const count = within(note).getByText('7 roles');
  await user.hover(count);
  expect((await screen.findByRole('tooltip')).textContent).toMatch(/^Auditor, .*Org User.*Super Admin/);
});

test('hides the password from administrators with fewer permissions but lets them regenerate it', {
  tags: 'whole',
}, async () => {
  await open('security.admin@acme.test');
  await screen.findByText(/^You can't view the password/);
  expect(screen.queryByRole('group', { name: /^Password/ })).toBeNull();
  await press('Regenerate');
  const dialog = await screen.findByRole('alertdialog', { name: 'Regenerate credentials' });
  within(dialog).getByText(/only the roles that you can assign/);
  await user.click(within(dialog).getByRole('button', { name: 'Regenerate' }));
  const note = await screen.findByText(/^Created by Tomasz Wójcik on .*\. Your directory can assign/);
  await user.hover(within(note).getByText(/^\d roles$/));
  expect((await screen.findByRole('tooltip')).textContent).toContain('Security Admin');
  await screen.findByRole('group', { name: /^Password/ });
  expect(shownPassword()).toBe('•'.repeat(12));
});

test('reports that the person who created the credentials is no longer active', async () => {
  const maker = await portal.signIn('security.admin@acme.test');
  await portal.call(renewScimCredentials, { body: {} }, { token: maker.token });
  const { token } = await portal.signIn('super.admin@acme.test');
  const { suid } = (await portal.call(getProfile, {}, { token: maker.token })).body.profile;
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  await open('super.admin@acme.test');
  await screen.findByText(/^The person who created these credentials is no longer active/);
});

test('creates a token, shows it once and revokes it', async () => {
  const { token } = await open('super.admin@acme.test');
  await screen.findByRole('heading', { name: 'No tokens yet' });
  await press('Add token');
  const adding = await screen.findByRole('dialog', { name: 'Add token' });
  await user.type(within(adding).getByRole('textbox', { name: /^Name/ }), 'Entra ID');
  await user.click(within(adding).getByRole('button', { name: 'Add token' }));
  const created = await screen.findByRole('dialog', { name: 'Token added' });
  await user.click(within(created).getByRole('button', { name: 'Reveal Token' }));
  const secret = within(created).getByRole('group', { name: /^Token/ }).textContent ?? '';
  const read = () =>
    fetch(`${portal.url}/scim/v2/acme/Users?count=1`, { headers: { authorization: `Bearer ${secret}` } });
  expect((await read()).status).toBe(200);
  await user.click(within(created).getByRole('button', { name: 'Done' }));
  const row = (await screen.findByText('Entra ID')).closest('tr');
  expect(row?.textContent).toContain('Avery Lindqvist');

  await press('Revoke Entra ID');
  const dialog = await screen.findByRole('alertdialog', { name: 'Revoke Entra ID?' });
  await user.click(within(dialog).getByRole('button', { name: 'Revoke token' }));
  await screen.findByRole('heading', { name: 'No tokens yet' });
  expect((await portal.call(listScimTokens, {}, { token })).body.tokens).toEqual([]);
  expect((await read()).status).toBe(401);
});

test('adds a schema, edits it after confirming the loss of values and deletes it', async () => {
  const { token } = await open('super.admin@acme.test');
  const schemas = async () => (await portal.call(listScimSchemas, {}, { token })).body.schemas;
  await screen.findByRole('heading', { name: 'No schemas yet' });
  await press('Add schema');
  const adding = within(await screen.findByRole('dialog', { name: 'Add schema' }));
  await fill(adding.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }), 'HR');
  await fill(
    adding.getByRole<HTMLInputElement>('textbox', { name: /^URN/ }),
    'urn:ietf:params:scim:schemas:core:2.0:User',
  );
  await user.click(adding.getByRole('button', { name: 'Add schema' }));
  await adding.findByText('This URN is reserved by a standard. Choose a different URN');
  await adding.findByText('This field is required');
  await fill(adding.getByRole<HTMLInputElement>('textbox', { name: /^URN/ }), 'urn:example:hr:2.0:User');
  const first = within(adding.getByRole('group', { name: 'Attribute 1' }));
  await fill(first.getByRole<HTMLInputElement>('textbox', { name: /^Attribute 1/ }), 'grade');
  await user.type(first.getByRole('textbox', { name: 'Allowed values' }), 'Junior{Enter}Senior{Enter}');
  await user.click(adding.getByRole('button', { name: 'Add attribute' }));
  const second = within(await adding.findByRole('group', { name: 'Attribute 2' }));
  await fill(second.getByRole<HTMLInputElement>('textbox', { name: /^Attribute 2/ }), 'badge');
  await user.selectOptions(second.getByRole('combobox', { name: 'Type' }), 'Object with sub-attributes');
  await user.click(second.getByRole('checkbox', { name: 'Several values' }));
  await user.click(second.getByRole('button', { name: 'Add sub-attribute' }));
  const part = within(await second.findByRole('group', { name: 'Sub-attribute 1' }));
  await fill(part.getByRole<HTMLInputElement>('textbox', { name: /^Sub-attribute 1/ }), 'number');
  await user.selectOptions(part.getByRole('combobox', { name: 'Type' }), 'Whole number');
  await user.click(adding.getByRole('button', { name: 'Add schema' }));
  const row = await screen.findByRole('row', { name: /^HR/ });
  expect(row.textContent).toContain('urn:example:hr:2.0:User');
  expect(row.textContent).toContain('grade, badge');
  expect(await schemas()).toMatchObject([
    {
      attributes: [
        { name: 'grade', type: 'string', canonicalValues: ['Junior', 'Senior'], subAttributes: [] },
        { name: 'badge', type: 'complex', multiValued: true, subAttributes: [{ name: 'number', type: 'integer' }] },
      ],
    },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const { username, password } = (await portal.call(getScimCredentials, {}, { token })).body;
  const created = await fetch(`${portal.url}/scim/v2/acme/Users`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'anna@acme.test',
      'urn:example:hr:2.0:User': { grade: 'Junior' },
    }),
  });
  expect(created.status).toBe(201);

  await press('Edit HR');
  const editing = within(await screen.findByRole('dialog', { name: 'Edit schema' }));
  await user.click(editing.getByRole('button', { name: 'Remove Attribute 1' }));
  await user.click(editing.getByRole('button', { name: 'Save' }));
  await editing.findByText('One member has values that this would delete.');
  await user.click(editing.getByRole('checkbox', { name: /^Delete these values/ }));
  await user.click(editing.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await schemas())[0]?.attributes.map(({ name }) => name)).toEqual(['badge']);

  await press('Delete HR');
  const deleting = within(await screen.findByRole('alertdialog', { name: 'Delete HR?' }));
  await user.click(deleting.getByRole('button', { name: 'Delete schema' }));
  await screen.findByRole('heading', { name: 'No schemas yet' });
  expect(await schemas()).toEqual([]);
});
