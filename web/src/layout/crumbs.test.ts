import { expect, test } from 'vitest';
import { encodeMemberSegment } from '#lib/address/member-address.ts';
import { crumbsOf } from './breadcrumbs.tsx';

const labelsOf = (pathname: string) => crumbsOf(pathname).map((crumb) => crumb.label);

// covers: spec 1.2.18
test('the root crumb is the dashboard and leads there', () => {
  expect(crumbsOf('/dashboard')).toEqual([{ label: 'Dashboard', to: '/dashboard' }]);
  expect(crumbsOf('/manage-users')[0]).toEqual({ label: 'Dashboard', to: '/dashboard' });
});

test('a page of the dashboard stands below it', () => {
  expect(labelsOf('/dashboard/login-history')).toEqual(['Dashboard', 'Login History']);
});

test('invitations stand below the members', () => {
  expect(labelsOf('/manage-users/invitations')).toEqual(['Dashboard', 'Manage Users', 'Invitations']);
});

// covers: spec 1.2.16
test('a member is called by the full name in the address', () => {
  const segment = encodeMemberSegment({ primaryAttr: 'E-1', suid: 's', fullName: 'Zoë Núñez' });
  expect(labelsOf(`/manage-users/${segment}`)).toEqual(['Dashboard', 'Manage Users', 'Zoë Núñez']);
});

test('a segment that cannot be read gets a general word', () => {
  expect(labelsOf('/manage-users/%E0%A4%A')).toEqual(['Dashboard', 'Manage Users', 'Member']);
  expect(labelsOf('/applications/app-1')).toEqual(['Dashboard', 'Applications', 'Details']);
});

// covers: spec 2.2.11
test('an application has the name that its screen reports, and its tabs have no crumbs', () => {
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
test('generate, success and login-options show no label', () => {
  expect(labelsOf('/authenticate-caller/generate')).toEqual(['Dashboard', 'Authenticate Caller']);
  expect(labelsOf('/authenticate-caller/success')).toEqual(['Dashboard', 'Authenticate Caller']);
  expect(labelsOf('/org-settings/login-options/org-level')).toEqual([
    'Dashboard',
    'Org Settings',
    'Organisation level',
  ]);
});
