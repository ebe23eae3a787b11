import { expect, test } from 'vitest';
import type { Area } from '../endpoint.ts';
import * as contract from './by-area.ts';
import * as older from './index.ts';

const NAMES = {
  session: 'Session and profile',
  people: 'People',
  activation: 'Activation',
  devices: 'Devices',
  settings: 'Settings',
  roles: 'Roles',
  applications: 'Applications',
  faq: 'FAQ',
  activity: 'Activity',
  webhooks: 'Webhooks',
  authenticator: 'Authenticator',
  lab: 'Lab',
  service: 'Service',
} as const satisfies Record<string, Area>;

const exported: Readonly<Record<string, unknown>> = { ...contract };
const endpointsIn = (name: string): [string, object][] => Object.entries(Object(exported[name]));
const endpoints = Object.values(older).filter((value) => typeof value === 'object' && 'area' in value);

test.each(Object.entries(NAMES))('contract.%s has every endpoint of its area exactly once', (name, area) => {
  const listed = endpointsIn(name).map(([, endpoint]) => endpoint);
  expect(new Set(listed)).toEqual(new Set(endpoints.filter((endpoint) => endpoint.area === area)));
  expect(listed.length).toBe(new Set(listed).size);
});

test('contract still has every older name, none of which is the name of an area', () => {
  expect(Object.keys(contract).length).toBe(Object.keys(older).length + Object.keys(NAMES).length);
  expect(contract).toMatchObject({ ...older });
});

test('names by area have at most four words and no abbreviations', () => {
  const names = Object.keys(NAMES).flatMap((area) => endpointsIn(area).map(([name]) => name));
  expect(names.filter((name) => !/^[a-z]+(?:[A-Z][a-z]+){0,3}$/.test(name))).toEqual([]);
});
