import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { approveOnPhone, saveProvider } from '@orchestrate/server/testing/approving';
import { getOidcConfiguration } from '@orchestrate/shared';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import OidcPortalAuthScreen from './oidc-portal-auth-screen.tsx';

/** Returns the discovery document of a separate provider with few features. */
const discovery = (origin: string) => ({
  issuer: `${origin}/provider`,
  authorization_endpoint: `${origin}/provider/auth`,
  token_endpoint: `${origin}/provider/token`,
  jwks_uri: `${origin}/provider/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  scopes_supported: ['openid', 'email'],
});

let portal: TestPortal;
let token = '';
beforeEach(async () => {
  portal = await testPortal({
    register: (app) => app.get('/provider/.well-known/openid-configuration', () => discovery(portal.url)),
  });
  ({ token } = await visitSignedIn(
    portal,
    'super.admin@acme.test',
    '/org-settings/oidc-portal-auth',
    <OidcPortalAuthScreen />,
  ));
});
afterEach(() => closePage(portal));

const field = (name: string) => screen.findByRole('textbox', { name });
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const type = async (name: string, value: string) => {
  const input = await field(name);
  await fill(input, value);
  await user.tab();
};

test("explains why an internal address isn't tested until the user enters another address", {
  tags: 'whole',
}, async () => {
  await type('Configuration URL', 'https://192.168.0.10/');
  await press('Test');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).not.toBe('');
  await type('Configuration URL', 'https://login.example.com/');
  expect(screen.queryByRole('alert')).toBeNull();
});

// covers: spec 2.1.6
test("shows the provider's metadata after a test", async () => {
  await type('Configuration URL', `${portal.url}/provider`);
  await press('Test');
  const found = await screen.findByRole('status', { name: 'Test' });
  expect(found.textContent).toContain(`Issuer${portal.url}/provider`);
  expect(found.textContent).toContain('Scopesopenid, email');
});

test('warns before enabling a provider whose test has failed', { tags: 'whole' }, async () => {
  await screen.findByRole('switch', { name: 'Enabled', checked: true });
  await press('Test');
  await screen.findByRole('img', { name: 'Accepted' });
  expect(screen.queryByText(/people won't be able to sign in with the button/)).toBeNull();
  await type('Client ID', 'not-registered');
  await press('Test');
  await screen.findByRole('img', { name: 'Rejected' });
  screen.getByText(/people won't be able to sign in with the button/);
  await user.click(screen.getByRole('switch', { name: 'Enabled' }));
  expect(screen.queryByText(/people won't be able to sign in with the button/)).toBeNull();
});

// covers: spec 2.2.47
test('shows errors under missing values and sends nothing', async () => {
  await type('Client ID', '   ');
  await screen.findByText('This field is required');
  await press('Save');
  await screen.findByText(/^Required information is missing or incorrect/);
});

/** Returns the pending request on the administrator's phone and the number in the dialog. */
async function waitingRequest() {
  const dialog = await screen.findByRole('dialog', { name: 'Approve on your phone' });
  const number = /choose (\d\d)/.exec(dialog.textContent ?? '')?.[1] ?? '';
  const phone = portal.device('super.admin@acme.test');
  const [waiting] = await portal.authenticator.pending(phone);
  return { phone, number, approvalId: waiting?.challengeId ?? '', waiting };
}

// covers: spec 2.2.47
test('saves a trimmed label after approval on the phone', async () => {
  await type('Button label', '  Continue with Globex  ');
  await press('Save');
  const { phone, number, approvalId, waiting } = await waitingRequest();
  expect(waiting?.statement).toMatch(/^Let people sign in to the portal through /);
  await approveOnPhone(portal, phone, { approvalId, number });
  await screen.findByText('OIDC Portal Auth saved');
  expect((await portal.call(getOidcConfiguration, {}, { token })).body.buttonLabel).toBe('Continue with Globex');
});

test('requests a single approval for the merged settings after another administrator has saved', {
  tags: 'whole',
}, async () => {
  await type('Button label', 'Mine');
  const other = await portal.signIn('security.admin@acme.test');
  const before = (await portal.call(getOidcConfiguration, {}, { token })).body;
  const { configurationUrl, clientSecret, enabled } = before;
  const theirs = { configurationUrl, clientId: 'their-client', clientSecret, enabled, buttonLabel: 'Theirs' };
  expect((await saveProvider(portal, theirs, other.token)).status).toBe(200);

  await press('Save');
  const conflict = within(await screen.findByRole('dialog', { name: /changed this while you were editing$/ }));
  expect(await portal.authenticator.pending(portal.device('super.admin@acme.test'))).toEqual([]);
  await user.click(conflict.getByRole('button', { name: 'Save' }));
  const { phone, number, approvalId } = await waitingRequest();
  await approveOnPhone(portal, phone, { approvalId, number });
  await screen.findByText('OIDC Portal Auth saved');
  expect((await portal.call(getOidcConfiguration, {}, { token })).body).toMatchObject({
    buttonLabel: 'Mine',
    clientId: 'their-client',
  });
});

test('keeps a change in the form, unsaved, if it is denied on the phone', async () => {
  await type('Button label', 'Continue elsewhere');
  await press('Save');
  const { phone, number, approvalId } = await waitingRequest();
  await approveOnPhone(portal, phone, { approvalId, number, decision: 'deny' });
  await screen.findByText('This was denied on your device. Nothing was changed.');
  expect(await field('Button label')).toHaveProperty('value', 'Continue elsewhere');
  expect((await portal.call(getOidcConfiguration, {}, { token })).body.buttonLabel).not.toBe('Continue elsewhere');
});

test('hides the length of a saved secret and replaces it when the user types', {
  tags: 'whole',
}, async () => {
  const secret = () => screen.findByLabelText<HTMLInputElement>(/^Client secret/);
  const { clientSecret } = (await portal.call(getOidcConfiguration, {}, { token })).body;
  expect(clientSecret).not.toHaveLength(12);
  expect(await secret()).toMatchObject({ type: 'password', value: '', placeholder: '•'.repeat(12) });
  await press('Reveal client secret');
  expect((await secret()).value).toBe(clientSecret);
  await press('Hide client secret');
  await user.type(await secret(), 'another');
  expect((await secret()).value).toBe('another');
  await press('Reveal client secret');
  expect((await secret()).value).toBe('another');
});
