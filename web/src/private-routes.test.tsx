import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leave, visitSignedIn } from './layout/testing.tsx';
import PrivateRoutes from './private-routes.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => leave(portal));

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
])('%s without its permission leads to the dashboard', async (path) => {
  await visitSignedIn(portal, 'user@acme.test', path, <PrivateRoutes />);
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

// The page of these tests has no width, so it counts as a small screen.
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
])('%s on a small screen says where there is room for it', async (path, email) => {
  await visitSignedIn(portal, email, path, <PrivateRoutes />);
  await screen.findByRole('heading', { name: 'Admin features are available only on Desktop' });
});
