import { fitsPattern } from '../faults/served-paths.ts';

/**
 * Whether an address is the wanted one; `*` at the end of that stands for everything below, `:name` and `{name}` for any
 * part.
 */
export const fitsPath = (path: string, wanted: string): boolean =>
  wanted.endsWith('*') && !wanted.endsWith('/*') ? path.startsWith(wanted.slice(0, -1)) : fitsPattern(path, wanted);
