import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  type AuthState,
  configureSession,
  editRole,
  getApp,
  getFaq,
  getOrgApp,
  getOrgSettings,
  getRole,
  getScimCredentials,
  getSecurity,
  renewScimCredentials,
  saveBranding,
  saveFaqCategory,
  saveFaqRecord,
  saveOrgApp,
  saveSecurity,
  updateApp,
} from '@orchestrate/shared';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import ApplicationScreen from './features/applications/editor/application-screen.tsx';
import ApplicationsScreen from './features/applications/list/applications-screen.tsx';
import ManageFaqScreen from './features/faq/manage/manage-faq-screen.tsx';
import RoleManagementScreen from './features/roles/role-management-screen.tsx';
import BrandingScreen from './features/settings/branding/branding-screen.tsx';
import LoginOptionsScreen from './features/settings/login-options/login-options-screen.tsx';
import OidcPortalAuthScreen from './features/settings/oidc-portal-auth-screen.tsx';
import SecurityScreen from './features/settings/security-screen.tsx';
import UserProvisioningScreen from './features/settings/user-provisioning-screen.tsx';
import { closePage, visitSignedIn } from './layout/testing.tsx';
import { chooseItem, fill, user } from './testing.ts';

let portal: TestPortal;
let other: AuthState;
beforeEach(async () => {
  sessionStorage.clear();
  portal = await testPortal();
  other = await portal.signIn('security.admin@acme.test');
});
afterEach(() => closePage(portal));

const ADMIN = 'super.admin@acme.test';
const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
/** Chooses an action in the menu of an FAQ item. */
async function chooseFor(name: string, action: string): Promise<void> {
  await user.click(await screen.findByLabelText(`Actions for ${name}`));
  await chooseItem(await screen.findByText(action, { selector: '[role="menuitem"]' }));
}
const type = (name: RegExp, value: string) => fill(screen.getByRole('textbox', { name }), value);
/** Returns the dialog that asks which changes to keep. */
const conflict = async () =>
  within(await screen.findByRole('dialog', { name: /changed this while you were editing$/ }));

const SECURITY = { allowedIps: [], activationLinkDelayHours: 2, deviceLimit: 9, allowedEmailDomains: ['other.test'] };
const saveElsewhere = () => portal.call(saveSecurity, { body: SECURITY }, other);
const security = async () => (await portal.call(getSecurity, {}, other)).body;

async function typeDeviceLimit(value: string) {
  const field = await screen.findByRole('spinbutton', { name: /Device limit/ });
  await fill(field, value);
}

test('offers both values of a field that two users changed, and merges the rest', async () => {
  await visitSignedIn(portal, ADMIN, '/org-settings/security', <SecurityScreen />);
  await typeDeviceLimit('7');
  await saveElsewhere();
  await press('Save');
  const dialog = await conflict();
  const field = within(dialog.getByRole('group', { name: 'Device limit' }));
  expect(field.getByRole('radio', { name: /Keep mine.*7 devices/ })).toHaveProperty('checked', true);
  expect(field.getByRole('radio', { name: /Keep theirs.*9 devices/ })).toHaveProperty('checked', false);
  const domains = within(dialog.getByRole('group', { name: /Allowed email domains/ }));
  expect(domains.getByRole('radio', { name: /Keep theirs.*other\.test/ })).toHaveProperty('checked', true);
  expect(await security()).toMatchObject(SECURITY);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Security settings saved');
  expect(await security()).toMatchObject({ ...SECURITY, deviceLimit: 7 });
});

test('shows who saved first', { tags: 'whole' }, async () => {
  const { profile } = other;
  await visitSignedIn(portal, ADMIN, '/org-settings/security', <SecurityScreen />);
  await typeDeviceLimit('7');
  await saveElsewhere();
  await press('Save');
  await screen.findByRole('dialog', {
    name: `${profile.firstName} ${profile.lastName} changed this while you were editing`,
  });
});

test("accepts the other user's value", { tags: 'whole' }, async () => {
  await visitSignedIn(portal, ADMIN, '/org-settings/security', <SecurityScreen />);
  await typeDeviceLimit('7');
  await saveElsewhere();
  await press('Save');
  const dialog = await conflict();
  await user.click(dialog.getByRole('button', { name: 'Keep all of theirs' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Security settings saved');
  expect(await security()).toMatchObject(SECURITY);
  expect(screen.getByRole('spinbutton', { name: /Device limit/ })).toHaveProperty('value', '9');
});

test("overwrites all of the other user's values", { tags: 'whole' }, async () => {
  await visitSignedIn(portal, ADMIN, '/org-settings/security', <SecurityScreen />);
  const before = await security();
  await typeDeviceLimit('7');
  await saveElsewhere();
  await press('Save');
  const dialog = await conflict();
  await user.click(dialog.getByRole('button', { name: 'Keep all of mine' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Security settings saved');
  expect(await security()).toEqual({ ...before, deviceLimit: 7 });
});

test('keeps all input without saving when the user returns to the form, and asks again on save', {
  tags: 'whole',
}, async () => {
  await visitSignedIn(portal, ADMIN, '/org-settings/security', <SecurityScreen />);
  await typeDeviceLimit('7');
  await saveElsewhere();
  await press('Save');
  await user.click((await conflict()).getByRole('button', { name: 'Back to the form' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('spinbutton', { name: /Device limit/ })).toHaveProperty('value', '7');
  expect(await security()).toMatchObject(SECURITY);
  await press('Save');
  await conflict();
});

test('merges changes to different fields without asking, and shows a notice', async () => {
  await visitSignedIn(portal, ADMIN, '/org-settings/security', <SecurityScreen />);
  const { ownIp: _ip, resultCode: _code, ...present } = await security();
  await typeDeviceLimit('7');
  await portal.call(saveSecurity, { body: { ...present, allowedEmailDomains: ['other.test'] } }, other);
  await press('Save');
  await screen.findByText(
    /^Security settings saved\n.+ also changed Allowed email domains\. Both changes are saved\.$/,
    { normalizer: (text) => text },
  );
  expect(await security()).toMatchObject({ deviceLimit: 7, allowedEmailDomains: ['other.test'] });
});

test("doesn't silently overwrite the branding", { tags: 'whole' }, async () => {
  await visitSignedIn(portal, ADMIN, '/org-settings/branding', <BrandingScreen />);
  await screen.findByRole('textbox', { name: /^Title/ });
  const form = new FormData();
  const theirs = { name: 'Acme', color: '#112233', title: 'Theirs', loginButtonName: 'Go' };
  for (const [name, value] of Object.entries(theirs)) form.append(name, value);
  await type(/^Title/, 'Mine');
  expect((await portal.call(saveBranding, { body: form }, other)).status).toBe(200);
  await press('Save');
  const dialog = await conflict();
  dialog.getByRole('radio', { name: /Keep theirs.*Theirs/ });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Branding saved');
  const saved = (await portal.call(getOrgSettings, { query: { code: 'acme' } })).body;
  expect(saved).toMatchObject({ ...theirs, title: 'Mine' });
});

test("doesn't silently overwrite login options of the organisation, portal or application", {
  tags: 'whole',
}, async () => {
  const flags = { didEnabled: true, webAuthnEnabled: true, desktopAppEnabled: true, forceAuthnEnabled: false };
  const life = () => screen.findByRole('spinbutton', { name: /Max cookie life/ });
  const saveMine = async () => {
    await fill(await life(), '7');
  };
  const keepMine = async (message: string) => {
    await press('Save');
    await user.click((await conflict()).getByRole('button', { name: 'Save' }));
    await screen.findByText(message);
  };
  await visitSignedIn(portal, ADMIN, '/org-settings/login-options', <LoginOptionsScreen level="org-level" />);
  await saveMine();
  await portal.call(configureSession, { body: { ...flags, sessionTimeout: 60, maxCookieLife: 9 } }, other);
  await keepMine('Login options saved');
  cleanup();

  await visitSignedIn(portal, ADMIN, '/org-settings/login-options', <LoginOptionsScreen level="app-level" />);
  await saveMine();
  await portal.call(saveOrgApp, { body: { ...flags, maxCookieLife: 540 } }, other);
  await keepMine('Login options for Acme Portal saved');
  expect((await portal.call(getOrgApp, { query: {} }, other)).body.orgApp.maxCookieLife).toBe(420);
  cleanup();

  const path = '/org-settings/login-options?app=team-wiki';
  await visitSignedIn(portal, ADMIN, path, <LoginOptionsScreen level="app-level" />);
  await saveMine();
  const params = { orgCode: 'acme', appId: 'team-wiki' };
  await portal.call(updateApp, { params, body: { maxCookieLife: 540 } }, other);
  await keepMine('Login options for Team Wiki saved');
  expect((await portal.call(getApp, { params }, other)).body.app.maxCookieLife).toBe(420);
});

test("shows an application's callback URLs line by line", { tags: 'whole' }, async () => {
  const params = { orgCode: 'acme', appId: 'team-wiki' };
  const path = '/applications/team-wiki/configuration';
  await visitSignedIn(
    portal,
    ADMIN,
    path,
    <Routes>
      <Route path="/applications/:appId/*" element={<ApplicationScreen />} />
      <Route path="*" element={<h1>Applications</h1>} />
    </Routes>,
  );
  const field = await screen.findByRole('textbox', { name: /Callback URL 1|Callback URL$/ });
  await fill(field, 'https://mine.test/callback');
  const clients = { redirect_uris: ['https://theirs.test/callback', 'https://second.test/callback'] };
  await portal.call(updateApp, { params, body: { oidcConfiguration: { clients }, description: 'Theirs' } }, other);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Submit' })).toHaveProperty('disabled', false));
  await press('Submit');
  const dialog = await conflict();
  const choice = within(dialog.getByRole('group', { name: 'Callback URL' }));
  expect(choice.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    ...clients.redirect_uris,
    'https://mine.test/callback',
    'http://localhost:8080/oidc/callback',
  ]);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('App settings saved');
  const { app } = (await portal.call(getApp, { params }, other)).body;
  expect(app.description).toBe('Theirs');
  expect(app.oidcConfiguration?.clients.redirect_uris).toEqual([
    'https://mine.test/callback',
    'http://localhost:8080/oidc/callback',
  ]);
});

test("doesn't silently overwrite a role", { tags: 'whole' }, async () => {
  await visitSignedIn(portal, ADMIN, '/role-management?role=AUDITOR', <RoleManagementScreen />);
  await user.click(await screen.findByRole('button', { name: 'Edit role' }));
  await screen.findByRole('textbox', { name: /Name/ });
  await type(/Name/, 'Mine');
  const superAdmin = await portal.signIn(ADMIN);
  const edit = { roleCode: 'AUDITOR', name: 'Theirs', permissions: ['SEARCH_USER' as const] };
  await portal.call(editRole, { body: edit }, superAdmin);
  await press('Save');
  const dialog = await conflict();
  const theirs = within(dialog.getByRole('group', { name: /^Permissions/ })).getAllByRole('listitem')[0];
  expect(theirs?.textContent).toBe('Search users');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Role updated successfully');
  const { data } = (await portal.call(getRole, { params: { roleCode: 'AUDITOR' } }, superAdmin)).body;
  expect(data).toMatchObject({ name: 'Mine', permissions: ['SEARCH_USER'] });
});

test("doesn't silently overwrite FAQ items or undo a rename by moving an item", {
  tags: 'whole',
}, async () => {
  await visitSignedIn(portal, ADMIN, '/org-settings/faq', <ManageFaqScreen />);
  await screen.findByText('Signing in', { selector: 'h2' });
  const tree = async () => (await portal.call(getFaq, {}, other)).body.categories;
  const [category] = await tree();
  const categoryId = category?.categoryId ?? '';
  await portal.call(saveFaqCategory, { body: { categoryId, name: 'Theirs' } }, other);
  await chooseFor('Signing in', 'Move down');
  await screen.findByText(/changed this while you were editing\. Nothing was saved\.$/);
  expect((await tree())[0]?.name).toBe('Theirs');
  await chooseFor('Theirs', 'Rename');
  await portal.call(saveFaqCategory, { body: { categoryId, name: 'Again' } }, other);
  await type(/Name/, 'Mine');
  await press('Rename');
  await user.click((await conflict()).getByRole('button', { name: 'Save' }));
  await waitFor(async () => expect((await tree())[0]?.name).toBe('Mine'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const [subcategory] = (await tree())[0]?.subcategories ?? [];
  const [record] = subcategory?.records ?? [];
  const { recordId = '', question = '', answer = '' } = record ?? {};
  await chooseFor(question, 'Edit');
  await screen.findByRole('textbox', { name: /Question/ });
  await type(/Question/, 'Mine?');
  const body = { recordId, subcategoryId: subcategory?.subcategoryId ?? '', question: 'Theirs?', answer };
  await portal.call(saveFaqRecord, { body }, other);
  await press('Save');
  (await conflict()).getByRole('radio', { name: /Keep theirs.*Theirs\?/ });
});

test("doesn't replace credentials that another user has renewed", { tags: 'whole' }, async () => {
  await visitSignedIn(portal, ADMIN, '/org-settings/provisioning', <UserProvisioningScreen />);
  await user.click(await screen.findByRole('button', { name: /Regenerate/ }));
  const superAdmin = await portal.signIn(ADMIN);
  await portal.call(renewScimCredentials, { body: {} }, superAdmin);
  const renewed = (await portal.call(getScimCredentials, {}, superAdmin)).body.password;
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Regenerate' }));
  await screen.findByText(/changed this while you were editing\. Nothing was saved\.$/);
  expect((await portal.call(getScimCredentials, {}, superAdmin)).body.password).toBe(renewed);
});

/** Signs in as a user, as the sign-in page does, and reopens the page. */
async function signInAgain(email: string, path: string, page: ReactNode) {
  cleanup();
  await visitSignedIn(portal, email, path, page);
}

/** Ends the user's session on the server, as if an administrator ended it or it expired. */
async function endSessionOf(email: string) {
  const { suid } = portal.device(email);
  portal.deps.db.$client.prepare("UPDATE sessions SET revokedAt = 1 WHERE orgCode = 'acme' AND suid = ?").run(suid);
}

test('restores a draft for the same user and still asks about conflicts on save', async () => {
  const path = '/org-settings/security';
  await visitSignedIn(portal, ADMIN, path, <SecurityScreen />);
  await typeDeviceLimit('7');
  await endSessionOf(ADMIN);
  await saveElsewhere();
  await press('Save');
  await screen.findByRole('heading', { name: 'Signed out' });
  await signInAgain(ADMIN, path, <SecurityScreen />);
  await screen.findByText(/^Your session ended, so we restored your unsaved changes\./);
  expect(screen.getByRole('spinbutton', { name: /Device limit/ })).toHaveProperty('value', '7');
  await press('Save');
  const dialog = await conflict();
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Security settings saved');
  expect(await security()).toMatchObject({ ...SECURITY, deviceLimit: 7 });
  expect(sessionStorage).toHaveLength(0);
});

test('never shows a draft to the next user and deletes it on Discard', { tags: 'whole' }, async () => {
  const path = '/org-settings/security';
  await visitSignedIn(portal, ADMIN, path, <SecurityScreen />);
  await typeDeviceLimit('7');
  await endSessionOf(ADMIN);
  await press('Save');
  await screen.findByRole('heading', { name: 'Signed out' });
  await signInAgain(ADMIN, path, <SecurityScreen />);
  await screen.findByText(/restored your unsaved changes/);
  await press('Discard');
  await waitFor(() => expect(screen.queryByText(/restored your unsaved changes/)).toBeNull());
  expect(sessionStorage).toHaveLength(0);

  await typeDeviceLimit('7');
  await endSessionOf(ADMIN);
  await press('Save');
  await screen.findByRole('heading', { name: 'Signed out' });
  expect(sessionStorage).toHaveLength(1);
  await signInAgain('security.admin@acme.test', path, <SecurityScreen />);
  expect(await screen.findByRole('spinbutton', { name: /Device limit/ })).not.toHaveProperty('value', '7');
  expect(screen.queryByText(/restored your unsaved changes/)).toBeNull();
});

test('reopens a dialog that was open when the session ended', { tags: 'whole' }, async () => {
  const path = '/role-management?role=AUDITOR';
  await visitSignedIn(portal, ADMIN, path, <RoleManagementScreen />);
  await user.click(await screen.findByRole('button', { name: 'Edit role' }));
  await screen.findByRole('textbox', { name: /Name/ });
  await type(/Name/, 'Readers');
  await endSessionOf(ADMIN);
  await press('Save');
  await screen.findByRole('heading', { name: 'Signed out' });
  await signInAgain(ADMIN, path, <RoleManagementScreen />);
  expect(await screen.findByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Readers');

  cleanup();
  await visitSignedIn(portal, ADMIN, '/org-settings/faq', <ManageFaqScreen />);
  await chooseFor('Signing in', 'Rename');
  await type(/Name/, 'Entering');
  await endSessionOf(ADMIN);
  await press('Rename');
  await screen.findByRole('heading', { name: 'Signed out' });
  await signInAgain(ADMIN, '/org-settings/faq', <ManageFaqScreen />);
  expect(await screen.findByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Entering');
});

const APIS = '/applications?tab=apis';

test('reopens create and edit dialogs with their input', {
  tags: 'whole',
}, async () => {
  const end = async (name: string) => {
    await endSessionOf(ADMIN);
    await press(name);
    await screen.findByRole('heading', { name: 'Signed out' });
  };
  await visitSignedIn(portal, ADMIN, APIS, <ApplicationsScreen />);
  await user.click(await screen.findByRole('button', { name: 'Add API' }));
  await type(/^Name/, 'Orders');
  await type(/^Identifier/, 'https://orders.example.com');
  await end('Add API');
  await signInAgain(ADMIN, APIS, <ApplicationsScreen />);
  await screen.findByText(/^Your session ended, so we restored your unsaved changes\. Save/);
  const nameField = () => screen.findByRole('textbox', { name: /^Name/ });
  expect(await nameField()).toHaveProperty('value', 'Orders');
  await press('Add API');
  await screen.findByText('API added');
  expect(sessionStorage).toHaveLength(0);

  await user.click(await screen.findByRole('button', { name: 'Edit Orders' }));
  await type(/^Name/, 'All orders');
  await end('Save');
  await signInAgain(ADMIN, APIS, <ApplicationsScreen />);
  await waitFor(async () => expect(await nameField()).toHaveProperty('value', 'All orders'));
  await press('Save');
  await screen.findByText('API saved');

  cleanup();
  const path = '/applications?modal=create-oidc';
  await visitSignedIn(portal, ADMIN, path, <ApplicationsScreen />);
  await screen.findByRole('textbox', { name: /^App name/ });
  await type(/^App name/, 'Warehouse');
  await endSessionOf(ADMIN);
  await press('Next');
  await screen.findByRole('textbox', { name: /^Callback URL/ });
  await type(/^Callback URL/, 'https://warehouse.example.com/callback');
  await type(/^Logout URL/, 'https://warehouse.example.com/');
  await press('Submit');
  await screen.findByRole('heading', { name: 'Signed out' });
  await signInAgain(ADMIN, path, <ApplicationsScreen />);
  await waitFor(async () =>
    expect(await screen.findByRole('textbox', { name: /^App name/ })).toHaveProperty('value', 'Warehouse'),
  );
});

test('never stores a secret', async () => {
  await visitSignedIn(portal, ADMIN, '/org-settings/oidc', <OidcPortalAuthScreen />);
  const label = await screen.findByRole('textbox', { name: /^Button label/ });
  await fill(label, 'Typed');
  await fill(screen.getByLabelText(/^Client secret/), 'very-secret');
  await endSessionOf(ADMIN);
  await press('Save');
  await screen.findByRole('heading', { name: 'Signed out' });
  const stored = JSON.stringify({ ...sessionStorage });
  expect(stored).toContain('Typed');
  expect(stored).not.toContain('very-secret');
});
