import { type FullWorld, timeOfMoment } from '@orchestrate/shared';
import { type DeviceKeys, deviceKeys } from '../device-keys.ts';
import type { KeySource } from '../key-source.ts';
import { Prng } from '../prng.ts';

type DrawnFrom = Pick<FullWorld, 'randomSeed' | 'organisations'>;

/** Draws the values that a world leaves out, relative to a start time. */
export interface ValueGenerator {
  /** Start time in milliseconds. */
  base: number;
  randomSeed: string;
  /** Returns repeatable randomness for a name. */
  prng(name: string): Prng;
  /** Returns the id drawn from a name, or another one if the world uses that id explicitly. */
  id(name: string, draw?: (name: string) => string): string;
  /** Returns a secret of 43 base64url characters. */
  secret(name: string): string;
  /** Returns a secret code of decimal digits. */
  code(name: string, length: number): string;
  /** Returns the key pair of a device. */
  keys(zid: string): DeviceKeys;
  /** Converts a time to milliseconds, or returns `fallback` if it is missing. */
  time<Fallback extends number | null>(moment: string | undefined, fallback: Fallback): number | Fallback;
}

/** Without a seed, only the names count, so that the demo's ids never change. */
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
      // Exports contain all ids, so a world that was exported before an item was inserted in a list may use the id
      // drawn for it.
      for (let again = `${name}-again`; usedIds.has(id); again += '-again') id = draw(again);
      return id;
    },
    secret: (name) => source.bytes(`orchestrate world secret ${named(name)}`).toString('base64url'),
    code: (name, length) => source.prng(named(name)).digits(length),
    keys: (zid) => deviceKeys(zid, randomSeed, source),
    time: (moment, fallback) => (moment === undefined ? fallback : timeOfMoment(moment, base)),
  };
}

/** Returns all ids in a world. */
function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) {
    for (const item of value) idsIn(item, found);
  } else if (typeof value === 'object' && value !== null) {
    // A world has thousands of sign-ins: Object.entries would create nested lists for each.
    for (const name in value) {
      const part: unknown = value[name as keyof typeof value];
      if (typeof part === 'object') idsIn(part, found);
      else if (name === 'id' && typeof part === 'string') found.add(part);
    }
  }
  return found;
}
