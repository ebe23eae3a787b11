import type { Seed } from '@orchestrate/db';
import type { World } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { readSentWorld } from './read-world.ts';

/** Returns the seed that a call names or sends. @throws Refusal INVALID_REQUEST with every mistake of a world */
export async function readSeed({ config }: Pick<Deps, 'config'>, given: 'demo' | 'none' | World): Promise<Seed> {
  return typeof given === 'string' ? given : readSentWorld(given, config, 'seed');
}

/** Returns a seed's name for the audit trail. */
export const seedName = (seed: Seed): string => (typeof seed === 'string' ? seed : 'world');

/** Returns the time at which a seed freezes the clock. */
export const startOf = (seed: Seed): string | undefined => (typeof seed === 'string' ? undefined : seed.now);
