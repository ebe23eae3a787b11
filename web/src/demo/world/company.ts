import { TAKEN_SEGMENTS } from '@orchestrate/shared';
import { latinOf } from './latin-of.ts';

/** An organisation as its visitor wants to see it. */
export interface Company {
  name: string;
  /** `#rrggbb`. */
  colour: string;
}

const CODE_MAX_LENGTH = 40;

/**
 * The code of an organisation with this name: its Latin letters and digits, of a long name the first whole words. A
 * name without any, or one that is an address of the portal already, becomes `our-company`.
 */
export function orgCodeOf(name: string): string {
  const words = latinOf(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const isLong = words.length > CODE_MAX_LENGTH;
  const code = isLong
    ? words
        .slice(0, CODE_MAX_LENGTH + 1)
        .replace(/-[^-]*$/, '')
        .slice(0, CODE_MAX_LENGTH)
    : words;
  return code === '' || TAKEN_SEGMENTS.has(code) ? 'our-company' : code;
}
