import { t } from '@lingui/core/macro';
import { FormField } from '../ui/form-field.tsx';
import { Select } from '../ui/select.tsx';
import type { useLabPeople } from './use-lab-people.ts';

/** Whose session is used. */
export const PersonField = ({ people, email, choose }: ReturnType<typeof useLabPeople>) => (
  <FormField label={t`As`}>
    <Select value={email} onChange={({ target }) => choose(target.value)}>
      {people.map((person) => (
        <option key={person.suid} value={person.email}>
          {`${person.fullName} (${person.roleName}, ${person.orgCode})`}
        </option>
      ))}
    </Select>
  </FormField>
);
