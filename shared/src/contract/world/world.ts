import { z } from 'zod';
import { clockTime, secret } from '../../fields.ts';
import { worldOrganisation } from './organisation.ts';

export type { WorldApplication } from './application.ts';
export type { WorldOrganisation } from './organisation.ts';
export type { WorldDevice, WorldInvitation, WorldPerson } from './person.ts';

/**
 * Everything that a portal begins with: a file for `SEED`, or the `seed` of a reset or a space (contract §16). Only an
 * organisation's code and a person's address are required. Ids, keys and codes that are not given are drawn from
 * `randomSeed` and what names the thing, so that one world gives the same portal twice. Its parts are lazy: they are an
 * eighth of the contract's schemas, and most programs read no world.
 */
export const world = z.strictObject({
  /** For editors: where the JSON Schema is. */
  $schema: z.string().max(2_000).optional(),
  randomSeed: z.string().max(100).default(''),
  /** Freezes the clock; without it, it runs. */
  now: clockTime.optional(),
  organisations: z.array(worldOrganisation).max(1_000).default([]),
});

/** A world as its author writes it. */
export type World = z.input<typeof world>;
/** A world with every default filled in. */
export type FullWorld = z.output<typeof world>;

/** A world, checked by the compiler. */
export function defineWorld<const W extends World>(given: W): W {
  return given;
}

/** The largest body of a call that carries a world. */
export const WORLD_BYTES = 64 * 1_048_576;

/** What a portal begins with. Of a world, only that it is an object: its mistakes are all listed when it is read. */
export const seedChoice = z.union([
  // With its keys and codes. First, for its sentence.
  secret(
    z.custom<World>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'Choose demo or none, or provide a world',
    }),
  ),
  z.enum(['demo', 'none']),
]);
