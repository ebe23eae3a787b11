import { t } from '@lingui/core/macro';
import { readPeople } from '@orchestrate/shared';
import { useState } from 'react';
import { useRead } from '#lib/api/use-read.ts';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';

/** Maximum number of people offered. */
const PEOPLE_SHOWN = 100;
const FIRST = 'super.admin@acme.test';

/**
 * Returns the lab's people, administrators first, and the selected person. `isClosed` is true if the lab isn't
 * available.
 */
export function useLabPeople() {
  const { data, refusal } = useRead(readPeople, { query: { status: 'active', limit: PEOPLE_SHOWN } });
  const [chosen, choose] = useState('');
  const people = (data?.people ?? []).toSorted((a, b) => Number(a.role === 'USER') - Number(b.role === 'USER'));
  const person = people.find(({ suid }) => suid === chosen) ?? people.find(({ email }) => email === FIRST) ?? people[0];
  return { people, person, choose, isClosed: refusal !== undefined };
}

/** A field for selecting the user whose session is used. */
export const PersonField = ({ people, person, choose }: ReturnType<typeof useLabPeople>) => (
  <FormField label={t`Sign in as`}>
    <Select value={person?.suid} onChange={({ target }) => choose(target.value)}>
      {people.map(({ suid, fullName, roleName, orgCode }) => (
        <option key={suid} value={suid}>
          {`${fullName} (${roleName}, ${orgCode})`}
        </option>
      ))}
    </Select>
  </FormField>
);
