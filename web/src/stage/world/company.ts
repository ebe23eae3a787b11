import { PRIVATE_SEGMENTS, PUBLIC_SEGMENTS, SERVER_SEGMENTS } from '@orchestrate/shared';

/** An organisation as its visitor wants to see it. */
export interface Company {
  name: string;
  /** `#rrggbb`. */
  colour: string;
}

const CODE_MAX_LENGTH = 40;
const TAKEN: ReadonlySet<string> = new Set([...SERVER_SEGMENTS, ...PUBLIC_SEGMENTS, ...PRIVATE_SEGMENTS, 'assets']);

/**
 * The code of an organisation with this name: its Latin letters and digits. A name without any, or one that is an
 * address of the portal already, becomes `our-company`.
 */
export function orgCodeOf(name: string): string {
  const code = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+/g, '')
    .slice(0, CODE_MAX_LENGTH)
    .replaceAll(/-+$/g, '');
  return code === '' || TAKEN.has(code) ? 'our-company' : code;
}
