import type { AnyClient } from '../foreign-client.ts';
import { DEBIAN_CLIENTS } from './debian.ts';
import { DEVICE_CLIENTS } from './devices.ts';
import { GO_CLIENTS } from './go.ts';
import { LDAP_CLIENTS } from './ldap.ts';
import { NPM_CLIENTS } from './npm.ts';
import { PYTHON_CLIENTS } from './python.ts';
import { RADIUS_CLIENTS } from './radius.ts';
import { REGISTERING_CLIENTS } from './registering.ts';
import { RUBY_CLIENTS } from './ruby.ts';

/** All clients of `pnpm interop`, in the order of the tables. */
export const CLIENTS: readonly AnyClient[] = [
  ...DEBIAN_CLIENTS,
  ...PYTHON_CLIENTS,
  ...RUBY_CLIENTS,
  ...GO_CLIENTS,
  ...NPM_CLIENTS,
  ...DEVICE_CLIENTS,
  ...REGISTERING_CLIENTS,
  ...RADIUS_CLIENTS,
  ...LDAP_CLIENTS,
];
