import { oidcApplicationRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import { claimsByScope } from './account.ts';
import { FIXED_CONFIGURATION } from './fixed-configuration.ts';

/**
 * The scopes that applications of an organisation may ask for, as discovery lists them: those of APIs are not among
 * them.
 */
export const scopesOf = ({ db }: Pick<Deps, 'db'>, orgCode: string): string[] => [
  ...new Set([
    ...FIXED_CONFIGURATION.scopes,
    ...Object.keys(claimsByScope('')),
    ...oidcApplicationRepo.listClaimScopes(db, orgCode),
  ]),
];
