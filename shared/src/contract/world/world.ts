import { z } from 'zod';
import { clockTime, secret } from '../../fields.ts';
import { worldOrganisation } from './organisation.ts';

export type { WorldApplication } from './application.ts';
export type { WorldOrganisation } from './organisation.ts';
export type { WorldDevice, WorldInvitation, WorldPerson } from './person.ts';

/**
 * The initial state of a portal: a file for `SEED`, or the `seed` of a reset or a space (contract §16). Only an
 * organisation's code and a person's email are required. Missing ids, keys and codes are drawn from `randomSeed` and
 * the names of their objects, so that one world gives the same portal twice. Its parts are lazy: they are an eighth of
 * the contract's schemas, and most programs read no world.
 */
export const world = z.strictObject({
  /** URL of the JSON Schema, for editors. */
  $schema: z.string().max(2_000).optional(),
  randomSeed: z.string().max(100).default(''),
  /** Freezes the clock; by default it runs. */
  now: clockTime.optional(),
  organisations: z.array(worldOrganisation).max(1_000).default([]),
});

/** A world as written by its author. */
export type World = z.input<typeof world>;
/** A world with all defaults filled in. */
export type FullWorld = z.output<typeof world>;

/** Declares a world whose type the compiler checks. */
export function defineWorld<const W extends World>(definition: W): W {
  return definition;
}

/** Maximum size of a request body with a world. */
export const WORLD_BYTES = 64 * 1_048_576;

/** The seed of a portal. A world only has to be an object here: reading it lists all its errors. */
export const seedChoice = z.union([
  // First, so that its error message is used. Secret, because it contains keys and codes.
  secret(
    z.custom<World>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'Choose demo or none, or provide a world',
    }),
  ),
  z.enum(['demo', 'none']),
]);
