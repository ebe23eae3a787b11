import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import BrandingScreen from './branding/branding-screen.tsx';
import LoginOptionsScreen from './login-options/login-options-screen.tsx';
import OidcPortalAuthScreen from './oidc-portal-auth-screen.tsx';
import SecurityScreen from './security-screen.tsx';
import UserProvisioningScreen from './user-provisioning-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

// covers: spec 2.2.7
test.each([
  ['Branding', <BrandingScreen key="screen" />],
  ['Login Options', <LoginOptionsScreen key="screen" level="org-level" />],
  ['OIDC Portal Auth', <OidcPortalAuthScreen key="screen" />],
  ['Security', <SecurityScreen key="screen" />],
  ['User Provisioning', <UserProvisioningScreen key="screen" />],
])("sets the browser tab's title to %s", async (title, page) => {
  await visitSignedIn(portal, 'super.admin@acme.test', '/org-settings', page);
  await screen.findByRole('heading', { level: 1, name: title });
  await waitFor(() => expect(document.title).toBe(`${title} · Orchestrate`));
});
