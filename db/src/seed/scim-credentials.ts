import { DAY, SYSTEM_ROLES } from '@orchestrate/shared';
import type { scimCredentials } from '../schema/index.ts';
import { ACME } from './organisations.ts';
import { suidOf } from './person.ts';
import { createPrng } from './prng.ts';
import type { Unsealed } from './table-rows.ts';

/** With what acme's users are provisioned, made by its Super Admin; globex has not begun with it. */
export function demoScimCredentials(base: number): Unsealed<typeof scimCredentials.$inferInsert>[] {
  const prng = createPrng('scim password acme');
  const password = `${prng.id()}${prng.id()}`.slice(0, 43);
  const superAdmin = SYSTEM_ROLES.find(({ roleCode }) => roleCode === 'SUPER_ADMIN');
  return [
    {
      orgCode: ACME,
      username: `scim-${ACME}`,
      password,
      createdAt: base - 90 * DAY,
      madeBySuid: suidOf(ACME, 'super.admin@acme.test'),
      ceiling: [...(superAdmin?.permissions ?? [])],
    },
  ];
}
