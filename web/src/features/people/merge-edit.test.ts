import { expect, test } from 'vitest';
import { mergeEdit } from './merge-edit.ts';

const before = { firstName: 'Marcus', lastName: 'Oyelaran', primaryEmail: 'marcus@acme.test', roles: 'USER' };

test('what was changed in the form is saved, and a role that was left alone is not sent', () => {
  expect(mergeEdit(before, before, { ...before, lastName: 'Wood' })).toEqual({
    conflicts: [],
    merged: { firstName: 'Marcus', lastName: 'Wood', primaryEmail: 'marcus@acme.test' },
  });
  expect(mergeEdit(before, before, { ...before, roles: 'AUDITOR' }).merged.roles).toBe('AUDITOR');
});

test('what somebody else has changed meanwhile stays', () => {
  const present = { ...before, firstName: 'Mark', roles: 'AUDITOR' };
  expect(mergeEdit(before, present, { ...before, lastName: 'Wood' })).toEqual({
    conflicts: [],
    merged: { firstName: 'Mark', lastName: 'Wood', primaryEmail: 'marcus@acme.test' },
  });
});

test('what both have changed is a conflict, unless they have changed it to the same', () => {
  const present = { ...before, firstName: 'Mark', lastName: 'Wood' };
  expect(mergeEdit(before, present, { ...before, firstName: 'Marc', lastName: 'Wood' }).conflicts).toEqual([
    'firstName',
  ]);
});
