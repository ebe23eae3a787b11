import { expect, test } from 'vitest';
import { attributeLabel } from './labels.ts';

test('splits a field name into words', () => {
  expect(attributeLabel('employeeId')).toBe('employee ID');
  expect(attributeLabel('staff_number')).toBe('staff number');
  expect(attributeLabel('UPN')).toBe('UPN');
  expect(attributeLabel('username')).toBe('username');
});
