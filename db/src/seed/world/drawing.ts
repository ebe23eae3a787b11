import { hash } from 'node:crypto';
import { type FullWorld, timeOfMoment } from '@orchestrate/shared';
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
  /** 43 base64url characters. */
  secret(name: string): string;
  /** A given moment in milliseconds, `fallback` where there is none. */
  time<Fallback extends number | null>(moment: string | undefined, fallback: Fallback): number | Fallback;
}

/** Without a seed the names alone decide: so the demo's ids are what they have always been. */
export function createDrawing({ randomSeed, organisations }: DrawnFrom, base: number): Drawing {
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
    secret: (name) => hash('sha256', `orchestrate world secret ${named(name)}`, 'base64url'),
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
