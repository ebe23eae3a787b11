import { expect, test } from 'vitest';
import { appIdFor } from './app-id.ts';

const nothing = new Set<string>();

test.each([
  ['Payroll', 'payroll'],
  ['  Team / Wiki (2)  ', 'team-wiki-2'],
  ['A_b=c@d!', 'a-b-c-d'],
  ['---', 'app'],
  ['saml', 'saml-2'],
  ['Validate', 'validate-2'],
  ['Default login options', 'default-login-options-2'],
  ['create', 'create-2'],
])('turns the name %s into the ID %s', (name, appId) => {
  expect(appIdFor(name, nothing)).toBe(appId);
});

// covers: spec 2.3.6
test('appends the first free number if the ID is taken', () => {
  expect(appIdFor('Payroll', new Set(['payroll', 'payroll-2', 'payroll-4']))).toBe('payroll-3');
});

test('creates a valid ID for the longest name', () => {
  expect(appIdFor('a '.repeat(50), new Set([appIdFor('a '.repeat(50), nothing)]))).toMatch(/^[\w-]{1,64}$/);
});
