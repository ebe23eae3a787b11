import type { AnyClient } from '../foreign-client.ts';
import { DEBIAN_CLIENTS } from './debian.ts';
import { NETWORK_CLIENTS } from './network.ts';
import { NPM_CLIENTS } from './npm.ts';
import { PYTHON_CLIENTS } from './python.ts';

/** Every client that `pnpm interop` tries, in the order of the tables. */
export const CLIENTS: readonly AnyClient[] = [...DEBIAN_CLIENTS, ...PYTHON_CLIENTS, ...NPM_CLIENTS, ...NETWORK_CLIENTS];
