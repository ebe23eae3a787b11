import { type FullWorld, timeOfMoment } from '@orchestrate/shared';
import { type DeviceKeys, deviceKeys } from '../device-keys.ts';
import type { KeySource } from '../key-source.ts';
import { Prng } from '../prng.ts';

type DrawnFrom = Pick<FullWorld, 'randomSeed' | 'organisations'>;

/** What an importer draws from, and the start that its times are relative to. */
export interface Drawing {
  /** Milliseconds. */
  base: number;
  randomSeed: string;
  /** Repeatable randomness for what has this name. */
  prng(name: string): Prng;
  /** The id drawn from a name; a further one where the world has given that id to something else. */
  id(name: string, draw?: (name: string) => string): string;
  /** 43 base64url characters that grant access. */
  secret(name: string): string;
  /** Decimal digits that grant access. */
  code(name: string, length: number): string;
  /** The key pair of a device. */
  keys(zid: string): DeviceKeys;
  /** A given moment in milliseconds, `fallback` where there is none. */
  time<Fallback extends number | null>(moment: string | undefined, fallback: Fallback): number | Fallback;
}

/** Without a seed the names alone decide: so the demo's ids are what they have always been. */
export function createDrawing({ randomSeed, organisations }: DrawnFrom, base: number, source: KeySource): Drawing {
  const named = (name: string) => (randomSeed === '' ? name : `${randomSeed}\n${name}`);
  const prng = (name: string) => new Prng(named(name));
  const given = idsIn(organisations);
  return {
    base,
    randomSeed,
    prng,
    id(name, draw = (drawn) => prng(drawn).id()) {
      let id = draw(name);
      // An export names everything; what is written before it in a list is drawn from the same place.
      for (let again = `${name}-again`; given.has(id); again += '-again') id = draw(again);
      return id;
    },
    secret: (name) => source.bytes(`orchestrate world secret ${named(name)}`).toString('base64url'),
    code: (name, length) => source.prng(named(name)).digits(length),
    keys: (zid) => deviceKeys(zid, randomSeed, source),
    time: (moment, fallback) => (moment === undefined ? fallback : timeOfMoment(moment, base)),
  };
}

/** Every id that a world gives. */
function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) {
    for (const item of value) idsIn(item, found);
  } else if (typeof value === 'object' && value !== null) {
    // A world has thousands of sign-ins: Object.entries would make a list of lists of each.
    for (const name in value) {
      const part: unknown = value[name as keyof typeof value];
      if (typeof part === 'object') idsIn(part, found);
      else if (name === 'id' && typeof part === 'string') found.add(part);
    }
  }
  return found;
}
