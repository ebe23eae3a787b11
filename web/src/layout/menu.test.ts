import type { Permission, Profile } from '@orchestrate/shared';
import { House } from 'lucide-react';
import { expect, test } from 'vitest';
import { profileOf } from '../testing.ts';
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

const labelsOf = (profile: Profile) =>
  visibleMenu(groups, profile).flatMap(({ items }) => items.map((item) => item.label));

test('an item without its permission is hidden, and a group without a visible item with it', () => {
  expect(visibleMenu(groups, person([])).map((group) => group.heading)).toEqual([undefined]);
  expect(labelsOf(person(['PAUSE_DEVICE']))).toEqual(['Home']);
});

test('one of several permissions is enough', () => {
  expect(labelsOf(person(['GET_ALL_REPORTEES']))).toEqual(['Home', 'Search']);
});

test('a permission without a role does not hold', () => {
  expect(labelsOf(person(['SEARCH_USER'], ''))).toEqual(['Home']);
});

test('everybody reaches the dashboard and the device test', () => {
  const labels = visibleMenu(menu, person([])).flatMap(({ items }) => items.map((item) => item.label));
  expect(labels).toEqual(expect.arrayContaining(['Dashboard', 'Test Device']));
});

test('the groups are called, and filled, in the words of the specification', () => {
  expect(menu.map(({ heading, items }) => [heading, items.map(({ label }) => label)])).toEqual([
    [undefined, ['Dashboard', 'Authenticate Caller', 'Test Device', 'FAQ']],
    ['User Administration', ['Manage Users', 'Manage Reportees']],
    ['App Settings', ['Applications']],
    ['Org Settings', ['OIDC Portal Auth', 'Branding', 'Login Options']],
    [
      'Manage Settings',
      [
        'IDP Configuration',
        'User Provisioning',
        'Role Management',
        'Security',
        'Manage FAQ',
        // Additions to the specification: what happened, and who is told of it.
        'Activity',
        'Sign-ins',
        'Webhooks',
      ],
    ],
  ]);
});
