import { PERMISSIONS, type Permission, type Profile } from '@orchestrate/shared';
import { House } from 'lucide-react';
import { expect, test } from 'vitest';
import { profileOf } from '#testing.ts';
import { type MenuGroup, menu, visibleMenu } from './menu.ts';

const person = (permissions: Permission[], roleCode = 'USER') => profileOf({ permissions, roleCode });

const groups: MenuGroup[] = [
  { items: [{ label: 'Home', icon: House, to: '/home' }] },
  {
    heading: 'People',
    items: [
      { label: 'Search', icon: House, to: '/search', needs: ['SEARCH_USER', 'GET_ALL_REPORTEES'] },
      { label: 'Later', icon: House, needs: ['SEARCH_USER'] },
    ],
  },
];

const labelsOf = (all: readonly MenuGroup[], profile: Profile) =>
  visibleMenu(all, profile).flatMap(({ items }) => items.map((item) => item.label));

// covers: spec 1.2.21, spec 2.2.9
test('hides items for which the user lacks permission and groups without visible items', () => {
  expect(visibleMenu(groups, person([])).map((group) => group.heading)).toEqual([undefined]);
  expect(labelsOf(groups, person(['PAUSE_DEVICE']))).toEqual(['Home']);
});

test('shows an item to users with any of several permissions', () => {
  expect(labelsOf(groups, person(['GET_ALL_REPORTEES']))).toEqual(['Home', 'Search']);
});

test('hides items whose screens only show a notice in a small window', () => {
  const left = visibleMenu(menu, person([...PERMISSIONS]), false);
  expect(left.map(({ heading, items }) => [heading, items.map(({ label }) => label)])).toEqual([
    [undefined, ['Dashboard', 'My Applications', 'Test Device', 'FAQ']],
  ]);
});

// covers: spec 1.6.3, spec 2.6.5
test('ignores permissions if the user has no role', () => {
  expect(labelsOf(groups, person(['SEARCH_USER'], ''))).toEqual(['Home']);
});

// covers: spec 1.2.20
test('shows dashboard, device test, FAQ and own applications without any permission', () => {
  expect(labelsOf(menu, person([]))).toEqual(['Dashboard', 'My Applications', 'Test Device', 'FAQ']);
});

test('shows Invitations to users who can invite but cannot search members', () => {
  expect(labelsOf(menu, person(['BULK_INVITE']))).toContain('Invitations');
  expect(labelsOf(menu, person(['BULK_INVITE', 'SEARCH_USER']))).not.toContain('Invitations');
});

test('shows Applications to users who can only configure SAML', () => {
  expect(labelsOf(menu, person(['ADD_UPDATE_SAML_CONFIGURATION']))).toContain('Applications');
});

// covers: spec 1.2.20, spec 2.2.8
test('names groups and items as in the specification', () => {
  const groupsOfAll = visibleMenu(menu, person([...PERMISSIONS]));
  expect(groupsOfAll.map(({ heading, items }) => [heading, items.map(({ label }) => label)])).toEqual([
    [undefined, ['Dashboard', 'My Applications', 'Test Device', 'FAQ']],
    ['User Administration', ['Manage Users', 'Manage Reportees', 'Authenticate Caller']],
    ['App Settings', ['Applications']],
    // The specification doesn't list this group.
    ['Monitoring', ['Sign-ins', 'Activity']],
    ['Org Settings', ['OIDC Portal Auth', 'Branding', 'Login Options']],
    [
      'Manage Settings',
      [
        'IDP Configuration',
        'User Provisioning',
        'Role Management',
        'Security',
        'Manage FAQ',
        // The specification doesn't list the following items:
        'Webhooks',
        'Emails',
        'Configuration File',
      ],
    ],
  ]);
});
