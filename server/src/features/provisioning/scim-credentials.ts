import { scimCredentialsRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';

/** What a provisioning client is given. */
interface ScimCredentials {
  endpoint: string;
  username: string;
  password: string;
}

/** The pair that works now; user name and password are empty before the first. */
export function scimCredentialsOf({ db, publicUrl }: Deps, orgCode: string): ScimCredentials {
  const { username = '', password = '' } = scimCredentialsRepo.findScimCredentials(db, orgCode) ?? {};
  return { endpoint: `${publicUrl}/scim/v2/${orgCode}`, username, password };
}

/** A new pair in place of the old one, which works no longer. */
export function renewScimCredentials(deps: Deps, orgCode: string): ScimCredentials {
  const { db, clock, random } = deps;
  const pair = { username: `scim-${orgCode}`, password: random.secret(), createdAt: clock.now() };
  scimCredentialsRepo.saveScimCredentials(db, { orgCode, ...pair });
  return scimCredentialsOf(deps, orgCode);
}
