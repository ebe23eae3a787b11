import { type KeyOrigin, worldRepo } from '@orchestrate/db';
import type { Config } from '#config.ts';
import type { Deps } from '#deps.ts';
import { isLocalPortal } from './http/callers/local-portal.ts';

/**
 * Returns how a portal derives its seeded keys: from names if the portal is local, otherwise from a secret of the
 * installation (decision 205).
 */
export const keyOriginOf = (config: Config): KeyOrigin => (isLocalPortal(config) ? 'names' : 'installation');

/**
 * Returns the seed for generated keys, which keeps them the same after a reset. Returns undefined if keys are random
 * because the portal started empty or has no lab. Local portals with the same world have the same keys. The seed is a
 * secret of this installation if other machines can reach the portal, or if its database once had
 * installation-specific keys.
 */
export function worldSeed({ db, config, vault }: Deps): string | undefined {
  const world = config.lab ? worldRepo.findWorld(db) : undefined;
  if (!world) return undefined;
  const isPublic = isLocalPortal(config) && world.keysFrom !== 'installation';
  return isPublic ? world.randomSeed : vault.draw(`world seed ${world.randomSeed}`).toString('base64url');
}
