import { readJson } from '@orchestrate/shared';
import { readStored, writeStored } from '../browser/stored.ts';

const KEY = 'orchestrate.return';

/**
 * Keeps a navigation's state for this tab while the person is at the organisation's own identity server, from which the
 * browser comes back without it. It replaces what an earlier sign-in has kept.
 */
export const keepReturnState = (state: unknown): void =>
  writeStored(KEY, state === null ? null : JSON.stringify(state), 'sessionStorage');

/** The state that was kept last; undefined where there is none. */
export const keptReturnState = (): unknown => readJson(readStored(KEY, 'sessionStorage'));
