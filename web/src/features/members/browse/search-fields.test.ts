import { expect, test } from 'vitest';
import { searchFieldsOf } from './search-fields.ts';

const labelsOf = (primaryAttrField?: string) => searchFieldsOf(primaryAttrField).map(({ label }) => label);

// covers: spec 1.2.40
test("lists the organisation's own attribute after the standard fields", () => {
  expect(labelsOf('employeeId')).toEqual(['Everything', 'First Name', 'Last Name', 'Email', 'Employee ID']);
});

test('adds no field if the primary attribute is the email', () => {
  expect(labelsOf('primaryEmail')).toEqual(['Everything', 'First Name', 'Last Name', 'Email']);
  expect(labelsOf()).toEqual(['Everything', 'First Name', 'Last Name', 'Email']);
});
