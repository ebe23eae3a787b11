import { type FullWorld, timeOfMoment } from '@orchestrate/shared';
import { type DeviceKeys, deviceKeys } from '../device-keys.ts';
import type { KeySource } from '../key-source.ts';
import { Prng } from '../prng.ts';

type DrawnFrom = Pick<FullWorld, 'randomSeed' | 'organisations'>;

/** Generates values omitted from a world, relative to a start time. */
export interface ValueGenerator {
  /** Start time in milliseconds. */
  base: number;
  randomSeed: string;
  /** Returns a repeatable random generator seeded with a name. */
  prng(name: string): Prng;
  /** Returns an ID derived from a name. Derives another ID if the world already uses the first one explicitly. */
  id(name: string, draw?: (name: string) => string): string;
  /** Returns a secret of 43 base64url characters. */
  secret(name: string): string;
  /** Returns a secret numeric code. */
  code(name: string, length: number): string;
  /** Returns a device's key pair. */
  keys(zid: string): DeviceKeys;
  /** Converts a time to milliseconds, or returns `fallback` if it is missing. */
  time<Fallback extends number | null>(moment: string | undefined, fallback: Fallback): number | Fallback;
}

/** Creates a generator. Without a random seed, values depend only on names, which keeps the demo's IDs stable. */
export function createValueGenerator(
  { randomSeed, organisations }: DrawnFrom,
  base: number,
  source: KeySource,
): ValueGenerator {
  const named = (name: string) => (randomSeed === '' ? name : `${randomSeed}\n${name}`);
  const prng = (name: string) => new Prng(named(name));
  const usedIds = idsIn(organisations);
  return {
    base,
    randomSeed,
    prng,
    id(name, draw = (drawn) => prng(drawn).id()) {
      let id = draw(name);
      // Exports contain all IDs, so a world exported before an item was inserted into a list may already use the ID
      // derived for it.
      for (let again = `${name}-again`; usedIds.has(id); again += '-again') id = draw(again);
      return id;
    },
    secret: (name) => source.bytes(`orchestrate world secret ${named(name)}`).toString('base64url'),
    code: (name, length) => source.prng(named(name)).digits(length),
    keys: (zid) => deviceKeys(zid, randomSeed, source),
    time: (moment, fallback) => (moment === undefined ? fallback : timeOfMoment(moment, base)),
  };
}

/** Returns all IDs in a world. */
function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) {
    for (const item of value) idsIn(item, found);
  } else if (typeof value === 'object' && value !== null) {
    // A world has thousands of sign-ins, and Object.entries would create nested arrays for each of them.
    for (const name in value) {
      const part: unknown = value[name as keyof typeof value];
      if (typeof part === 'object') idsIn(part, found);
      else if (name === 'id' && typeof part === 'string') found.add(part);
    }
  }
  return found;
}
