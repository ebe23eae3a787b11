import { DAY, SYSTEM_ROLES } from '@orchestrate/shared';
import type { scimCredentials } from '../schema/index.ts';
import { ACME } from './organisations.ts';
import { suidOf } from './person.ts';
import { createPrng } from './prng.ts';
import type { Unsealed } from './table-rows.ts';

/** The credentials of acme's directory, made by its Super Admin; globex has none yet. */
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
