import { DAY } from '@orchestrate/shared';
import type { scimCredentials } from '../schema/index.ts';
import { ACME } from './organisations.ts';
import { createPrng } from './prng.ts';

/** With what acme's users are provisioned; globex has not begun with it. */
export function demoScimCredentials(base: number): (typeof scimCredentials.$inferInsert)[] {
  const prng = createPrng('scim password acme');
  const password = `${prng.id()}${prng.id()}`.slice(0, 43);
  return [{ orgCode: ACME, username: `scim-${ACME}`, password, createdAt: base - 90 * DAY }];
}
