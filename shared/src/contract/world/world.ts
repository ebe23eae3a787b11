import { z } from 'zod';
import { clockTime, secret } from '../../fields.ts';
import { worldOrganisation } from './organisation.ts';

export { type WorldApplication, worldApplication } from './application.ts';
export type { WorldOrganisation } from './organisation.ts';
export type { WorldDevice, WorldInvitation, WorldPerson } from './person.ts';

/**
 * The initial state of a portal: a file for `SEED`, or the `seed` of a reset or a space (contract §16). Only an
 * organisation's code and a person's email are required. Missing IDs, keys and codes are derived from `randomSeed`
 * and their objects' names, so the same world always produces the same portal. The nested schemas are lazy, because
 * they are an eighth of the contract's schemas and most programs never read a world.
 */
export const world = z.strictObject({
  /** URL of the JSON Schema, for editors. */
  $schema: z.string().max(2_000).optional(),
  /** Any text. Another seed changes all generated IDs, keys, codes and names. */
  randomSeed: z.string().max(100).default(''),
  /** Time at which the clock is frozen. By default, the clock runs. */
  now: clockTime.optional(),
  /** Organisations with their members and settings. */
  organisations: z.array(worldOrganisation).max(1_000).default([]),
});

/** A world as its author writes it. An interface, because declarations would repeat a type's fields at each use. */
export interface World extends z.input<typeof world> {}
/** A world with all defaults filled in. */
export type FullWorld = z.output<typeof world>;

/** Returns a world unchanged. Lets the compiler check its type. */
export function defineWorld<const W extends World>(definition: W): W {
  return definition;
}

/** Maximum size of a request body that contains a world, in bytes. */
export const WORLD_BYTES = 64 * 1_048_576;

/** A portal's seed. At this point a world only has to be an object, because a later step lists all of its errors. */
export const seedChoice = z.union([
  // The object comes first because the first option's error message is used. It is secret because worlds contain keys
  // and codes.
  secret(
    z.custom<World>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'Choose demo or none, or provide a world',
    }),
  ),
  z.enum(['demo', 'none']),
]);
