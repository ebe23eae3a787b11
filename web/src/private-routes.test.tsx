import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { createRole, getUser, updateUser } from '@orchestrate/shared';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from './layout/testing.tsx';
import PrivateRoutes from './private-routes.tsx';
import { stubWindowWidth } from './testing.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

// covers: spec 1.2.12, spec 1.2.13, spec 1.2.14, spec 2.2.1, spec 2.2.4, spec 2.2.5, spec 2.2.7, spec 2.6.6
test.each([
  '/manage-users',
  '/manage-users/anybody',
  '/direct-reports',
  '/direct-reports/anybody',
  '/applications',
  '/applications/payroll/configuration',
  '/applications/saml/create/configuration',
  '/org-settings/idp-configuration',
  '/org-settings/branding',
  '/org-settings/login-options/org-level',
  '/org-settings/oidc-portal-auth',
  '/org-settings/user-provisioning',
  '/org-settings/security',
  '/org-settings/role-management',
  '/org-settings/manage-faq',
  '/org-settings/activity',
  '/org-settings/sign-ins',
  '/org-settings/webhooks',
  '/org-settings/webhooks/any',
])('redirects %s to the dashboard without its permission', async (path) => {
  await visitSignedIn(portal, 'user@acme.test', path, <PrivateRoutes />);
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

/** Signs in with a role whose only permission is to configure OIDC Portal Auth, and opens `path`. */
async function visitAsOidcAdministrator(path: string): Promise<void> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const role = { name: 'OIDC only', permissions: ['ADD_UPDATE_OIDC_CONFIGURATION' as const] };
  const { roleCode } = (await portal.call(createRole, { body: role }, { token })).body;
  const { suid } = portal.device('user@acme.test');
  const { profile } = (await portal.call(getUser, { query: { suid } }, { token })).body;
  const { firstName, lastName, email, primaryAttr } = profile;
  const body = { suid, firstName, lastName, primaryEmail: email, primaryAttr, roles: roleCode };
  await portal.call(updateUser, { body }, { token });
  await visitSignedIn(portal, 'user@acme.test', path, <PrivateRoutes />);
}

test('opens the first organisation setting that the administrator can change', async () => {
  await visitAsOidcAdministrator('/org-settings');
  await waitFor(() => expect(window.location.pathname).toBe('/org-settings/oidc-portal-auth'));
});

// covers: spec 2.1.8
test.each([
  ['/manage-users', 'super.admin@acme.test'],
  ['/direct-reports', 'manager@acme.test'],
  ['/org-settings/role-management', 'super.admin@acme.test'],
  ['/org-settings/manage-faq', 'security.admin@acme.test'],
  ['/org-settings/login-options', 'super.admin@acme.test'],
  ['/org-settings/activity', 'security.admin@acme.test'],
  ['/org-settings/webhooks', 'security.admin@acme.test'],
  ['/applications/payroll/configuration', 'super.admin@acme.test'],
  ['/org-settings/idp-configuration', 'super.admin@acme.test'],
])('explains on a small screen that %s requires a desktop', async (path, email) => {
  stubWindowWidth(1_023);
  await visitSignedIn(portal, email, path, <PrivateRoutes />);
  await screen.findByRole('heading', { name: 'Admin features are available only on Desktop' });
});
