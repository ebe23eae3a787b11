import { worldRepo } from '@orchestrate/db';
import type { Deps } from '../deps.ts';

/**
 * What keys that the portal makes are drawn from, so that two portals of one world publish the same ones; undefined
 * where they are random: the portal began empty, or has no lab, since anyone who knows the world could draw them too.
 */
export const worldSeed = ({ db, config }: Deps): string | undefined =>
  config.lab ? worldRepo.findRandomSeed(db) : undefined;
