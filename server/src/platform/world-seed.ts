import { type KeyOrigin, worldRepo } from '@orchestrate/db';
import type { Config } from '#config.ts';
import type { Deps } from '#deps.ts';
import { isLocalPortal } from './http/callers/local-portal.ts';

/** What the keys of a portal's seed are derived from (decision 205). */
export const keyOriginOf = (config: Config): KeyOrigin => (isLocalPortal(config) ? 'names' : 'installation');

/**
 * What keys that the portal makes are derived from, so that they are the same after a reset; undefined where they are
 * random: the portal began empty, or has no lab. On a local portal two portals of one world publish the same keys;
 * elsewhere, and where the database once had keys of its installation, the seed is a secret of this installation.
 */
export function worldSeed({ db, config, vault }: Deps): string | undefined {
  const world = config.lab ? worldRepo.findWorld(db) : undefined;
  if (!world) return undefined;
  const isPublic = isLocalPortal(config) && world.keysFrom !== 'installation';
  return isPublic ? world.randomSeed : vault.draw(`world seed ${world.randomSeed}`).toString('base64url');
}
