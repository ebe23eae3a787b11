import { hash } from 'node:crypto';
import { timeOfMoment } from '@orchestrate/shared';
import { createPrng, type Prng } from '../prng.ts';

/** What an importer draws from, and the start that its times are relative to. */
export interface Drawing {
  /** Milliseconds. */
  base: number;
  randomSeed: string;
  /** Repeatable randomness for what has this name. */
  prng(name: string): Prng;
  /** 43 base64url characters. */
  secret(name: string): string;
  /** A given moment in milliseconds, `fallback` where there is none. */
  time<Fallback extends number | null>(moment: string | undefined, fallback: Fallback): number | Fallback;
}

/** Without a seed the names alone decide: so the demo's ids are what they have always been. */
export function createDrawing(randomSeed: string, base: number): Drawing {
  const named = (name: string) => (randomSeed === '' ? name : `${randomSeed}\n${name}`);
  return {
    base,
    randomSeed,
    prng: (name) => createPrng(named(name)),
    secret: (name) => hash('sha256', `orchestrate world secret ${named(name)}`, 'base64url'),
    time: (moment, fallback) => (moment === undefined ? fallback : timeOfMoment(moment, base)),
  };
}
