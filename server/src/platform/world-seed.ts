import { type KeyOrigin, worldRepo } from '@orchestrate/db';
import type { Config } from '#config.ts';
import type { Deps } from '#deps.ts';
import { isLocalPortal } from './http/callers/local-portal.ts';

/** Returns the source of the keys in a portal's seed (decision 205). */
export const keyOriginOf = (config: Config): KeyOrigin => (isLocalPortal(config) ? 'names' : 'installation');

/**
 * Returns the seed of generated keys, so that they are the same after a reset; undefined if they are random because the
 * portal started empty or has no lab. Local portals of one world have the same keys. On a reachable portal, or if the
 * database once had keys of its installation, the seed is a secret of this installation.
 */
export function worldSeed({ db, config, vault }: Deps): string | undefined {
  const world = config.lab ? worldRepo.findWorld(db) : undefined;
  if (!world) return undefined;
  const isPublic = isLocalPortal(config) && world.keysFrom !== 'installation';
  return isPublic ? world.randomSeed : vault.draw(`world seed ${world.randomSeed}`).toString('base64url');
}
