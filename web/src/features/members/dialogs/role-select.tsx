import { t } from '@lingui/core/macro';
import { listRoles } from '@orchestrate/shared';
import type { ComponentProps } from 'react';
import { useRead } from '#lib/api/use-read.ts';
import { Select } from '#ui/form/select.tsx';
import { useAuthority } from '../use-member-rights.ts';

interface RoleSelectProps extends Omit<ComponentProps<typeof Select>, 'children'> {
  /** The member's current role. It's the only option until the other roles have loaded. */
  present: { roleCode: string; name: string };
}

/** Selects a role that the signed-in user can grant, or keeps the member's current role. Admin roles come first. */
export function RoleSelect({ present, ...select }: RoleSelectProps) {
  const { data } = useRead(listRoles, {});
  const mayGrant = useAuthority();
  const roles = (data?.Items ?? []).filter(({ roleCode }) => roleCode === present.roleCode || mayGrant(roleCode));
  const isListed = roles.some(({ roleCode }) => roleCode === present.roleCode);
  return (
    <Select {...select}>
      {!isListed && <option value={present.roleCode}>{present.name}</option>}
      {groups.map(({ type, label }) => {
        const ofType = roles.filter((role) => role.type === type);
        return (
          ofType.length > 0 && (
            <optgroup key={type} label={label}>
              {ofType.map(({ roleCode, name }) => (
                <option key={roleCode} value={roleCode}>
                  {name}
                </option>
              ))}
            </optgroup>
          )
        );
      })}
    </Select>
  );
}

const groups = [
  { type: 'admin', label: t`Admin roles` },
  { type: 'user', label: t`User roles` },
  { type: 'custom', label: t`Custom roles` },
] as const;
