import { expect, test } from 'vitest';
import { encodeMemberSegment } from '#lib/address/member-address.ts';
import { crumbsOf } from './breadcrumbs.tsx';

const labelsOf = (pathname: string) => crumbsOf(pathname).map((crumb) => crumb.label);

// covers: spec 1.2.18
test('starts with a link to the dashboard', () => {
  expect(crumbsOf('/dashboard')).toEqual([{ label: 'Dashboard', to: '/dashboard' }]);
  expect(crumbsOf('/manage-users')[0]).toEqual({ label: 'Dashboard', to: '/dashboard' });
});

test('places dashboard screens below the dashboard', () => {
  expect(labelsOf('/dashboard/login-history')).toEqual(['Dashboard', 'Login History']);
});

test('places Invitations below Manage Users', () => {
  expect(labelsOf('/manage-users/invitations')).toEqual(['Dashboard', 'Manage Users', 'Invitations']);
});

test('names the group that the menu marks above a setting, without a link', () => {
  expect(labelsOf('/org-settings/branding')).toEqual(['Dashboard', 'Org Settings', 'Branding']);
  expect(labelsOf('/org-settings/webhooks')).toEqual(['Dashboard', 'Manage Settings', 'Webhooks']);
  expect(labelsOf('/org-settings/webhooks/w-1')).toEqual(['Dashboard', 'Manage Settings', 'Webhooks', 'Details']);
  expect(crumbsOf('/org-settings/sign-ins')[1]).toEqual({ label: 'Monitoring' });
});

// covers: spec 1.2.16
test('labels a member with the full name from the URL', () => {
  const segment = encodeMemberSegment({ primaryAttr: 'E-1', suid: 's', fullName: 'Zoë Núñez' });
  expect(labelsOf(`/manage-users/${segment}`)).toEqual(['Dashboard', 'Manage Users', 'Zoë Núñez']);
});

test('uses a generic label for a segment that cannot be decoded', () => {
  expect(labelsOf('/manage-users/%E0%A4%A')).toEqual(['Dashboard', 'Manage Users', 'Member']);
  expect(labelsOf('/applications/app-1')).toEqual(['Dashboard', 'Applications', 'Details']);
});

// covers: spec 2.2.11
test('uses an application’s reported name and shows no crumbs for its tabs', () => {
  const names = new Map([['/applications/app-1', 'Payroll']]);
  for (const tab of [
    'configuration',
    'login-options',
    'access',
    'provisioning',
    'history',
    'name-&-description',
    'name-%26-description',
  ])
    expect(crumbsOf(`/applications/app-1/${tab}`, names).map(({ label }) => label)).toEqual([
      'Dashboard',
      'Applications',
      'Payroll',
    ]);
  expect(labelsOf('/applications/saml/create/configuration')).toEqual([
    'Dashboard',
    'Applications',
    'New SAML application',
  ]);
});

// covers: spec 1.2.19, spec 2.2.12
test('shows no crumb for generate, success and login-options', () => {
  expect(labelsOf('/authenticate-caller/generate')).toEqual(['Dashboard', 'Authenticate Caller']);
  expect(labelsOf('/authenticate-caller/success')).toEqual(['Dashboard', 'Authenticate Caller']);
  expect(labelsOf('/org-settings/login-options/org-level')).toEqual([
    'Dashboard',
    'Org Settings',
    'Login Options: Organisation level',
  ]);
});
