import { t } from '@lingui/core/macro';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import type { useLabPeople } from './use-lab-people.ts';

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
