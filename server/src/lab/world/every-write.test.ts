import { exportWorld, resetDatabase } from '@orchestrate/db';
import { DAY, type World } from '@orchestrate/shared';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { foreignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import type { Write } from '#testing/driving/driver.ts';
import { writesOf } from '#testing/driving/writes.ts';
import { TEST_NOW, testPortal } from '#testing/test-portal.ts';
import { readWorld } from './read-world.ts';

// Set up here rather than in a hook, because test names come from the portal's endpoints.
const portal = await testPortal();
const other = await testPortal({ seed: 'none' });
vi.spyOn(console, 'warn').mockReturnValue(undefined);
const foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
const writes = writesOf(portal, foreign);
afterAll(async () => {
  await foreign.close();
  await portal.close();
  await other.close();
});
beforeEach(() => {
  resetDatabase(portal.deps.db, 'demo', TEST_NOW);
  portal.clock.freeze(TEST_NOW);
});

const nameOf = ({ of }: Write) => (typeof of === 'string' ? of : `${of.method} ${of.path}`);
/** Returns the exported world without undefined fields. */
const exported = ({ deps }: typeof portal): World => JSON.parse(JSON.stringify(deps.db.transaction(exportWorld)));

test.each(writes.map((write) => [`${nameOf(write)} leaves ${write.leaves.join(', ')}`, write] as const))(
  'exports and imports all data identically after a write: %s',
  { tags: 'whole' },
  async (_name, { prepare }) => {
    const perform = await prepare();
    await perform();
    const world = exported(portal);
    resetDatabase(other.deps.db, await readWorld(world, other.deps.config), TEST_NOW + DAY);
    expect(exported(other)).toEqual(world);
    expect(JSON.stringify(exported(other))).toBe(JSON.stringify(world));
  },
);
