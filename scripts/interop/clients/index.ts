import type { AnyClient } from '../foreign-client.ts';
import { NPM_CLIENTS } from './npm.ts';

/** Every client that `pnpm interop` tries, in the order of the tables. */
export const CLIENTS: readonly AnyClient[] = [...NPM_CLIENTS];
