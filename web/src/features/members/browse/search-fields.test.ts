import { expect, test } from 'vitest';
import { searchFieldsOf } from './search-fields.ts';

const labelsOf = (primaryAttrField?: string) => searchFieldsOf(primaryAttrField).map(({ label }) => label);

// covers: spec 1.2.40
test("lists the organisation's primary attribute after the standard fields", () => {
  expect(labelsOf('employeeId')).toEqual(['All fields', 'First Name', 'Last Name', 'Email', 'Employee ID']);
});

test('adds no field if the primary attribute is the email address', () => {
  expect(labelsOf('primaryEmail')).toEqual(['All fields', 'First Name', 'Last Name', 'Email']);
  expect(labelsOf()).toEqual(['All fields', 'First Name', 'Last Name', 'Email']);
});
