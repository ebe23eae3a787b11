import { expect, test } from 'vitest';
import { searchFieldsOf } from './search-fields.ts';

const labelsOf = (primaryAttrField?: string) => searchFieldsOf(primaryAttrField).map(({ label }) => label);

// covers: spec 1.2.40
test("the organisation's own attribute comes after the fields of everybody", () => {
  expect(labelsOf('employeeId')).toEqual(['Everything', 'First Name', 'Last Name', 'Email', 'Employee ID']);
});

test('an organisation whose primary attribute is the email has no further field', () => {
  expect(labelsOf('primaryEmail')).toEqual(['Everything', 'First Name', 'Last Name', 'Email']);
  expect(labelsOf()).toEqual(['Everything', 'First Name', 'Last Name', 'Email']);
});
