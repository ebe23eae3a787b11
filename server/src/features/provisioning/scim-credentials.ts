import { memberRepo, roleRepo, scimCredentialsRepo, type Tx } from '@orchestrate/db';
import { type contract, fullNameOf, hasAuthority, type ReplyOf } from '@orchestrate/shared';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import { type CeiledCredentials, ceilingOf } from '#core/members/maximum-grantable-role.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import type { Version } from '#platform/http/versions.ts';
import { scimPath } from '#platform/own-addresses.ts';
import { isoOf } from '#platform/times.ts';

type ScimCredentials = Omit<ReplyOf<typeof contract.getScimCredentials>, 'resultCode'>;

/**
 * Returns the current credentials; user name and password are empty before the first ones are created. The password
 * grants everything that the credentials can, so it is shown only to administrators who could grant the same roles
 * themselves.
 */
export function scimCredentialsOf({ db, publicUrl }: Deps, caller: Caller): ScimCredentials {
  const { orgCode } = caller;
  const endpoint = `${publicUrl}${scimPath(orgCode)}`;
  const found = scimCredentialsRepo.findScimCredentials(db, orgCode);
  if (!found) return { endpoint, ...NONE };
  const { username, password, createdAt, ceiling } = found;
  // Judged by the permissions at creation: they apply again if their creator is enabled again.
  const isPasswordHidden = !hasAuthority(caller.permissions, ceiling);
  return {
    endpoint,
    username,
    isPasswordHidden,
    password: isPasswordHidden ? '' : password,
    madeAt: isoOf(createdAt),
    ...authorityOf(db, found),
  };
}

/** Returns the creator of credentials, and the permissions that a directory has with them now. */
export function authorityOf(
  tx: Tx,
  credentials: CeiledCredentials,
): Pick<ScimCredentials, 'madeBy' | 'roles' | 'limitedBy'> {
  const { orgCode, madeBySuid } = credentials;
  const { permissions, limitedBy } = ceilingOf(tx, credentials);
  const maker = madeBySuid === null ? undefined : memberRepo.findMember(tx, orgCode, madeBySuid);
  const given = roleRepo.listRoles(tx, orgCode).filter((role) => hasAuthority(permissions, role.permissions));
  return {
    madeBy: maker ? fullNameOf(maker) : null,
    roles: given.map(({ name }) => name),
    limitedBy,
  };
}

const NONE = {
  username: '',
  password: '',
  isPasswordHidden: false,
  madeBy: null,
  madeAt: null,
  roles: [],
  limitedBy: 'nothing' as const,
};

/** Returns the credentials to be replaced, even if the caller can't see the password. */
export function editableCredentials(tx: Tx, orgCode: string): { username: string; password: string } {
  const { username = '', password = '' } = scimCredentialsRepo.findScimCredentials(tx, orgCode) ?? {};
  return { username, password };
}

/**
 * Creates new credentials, which may grant the caller's permissions; the old ones stop working.
 * @throws StaleVersion
 */
export function renewScimCredentials(
  deps: Deps,
  { caller, actor }: { caller: Caller; actor: AuditActor },
  version: Version,
): ScimCredentials {
  const { db, clock, random } = deps;
  const { orgCode, suid, permissions } = caller;
  const pair = { username: `scim-${orgCode}`, password: random.secret(), createdAt: clock.now() };
  db.transaction((tx) => {
    const present = () => scimCredentialsOf(deps, caller);
    version.require(tx, { orgCode, editable: editableCredentials(tx, orgCode), present });
    scimCredentialsRepo.saveScimCredentials(tx, { orgCode, ...pair, madeBySuid: suid, ceiling: [...permissions] });
    const object = { type: 'scim-credentials', id: orgCode, name: pair.username } as const;
    const after = factsOf({ password: pair.password, ceiling: [...permissions] });
    record(deps, tx, actor, { action: 'scim-credentials.renewed', object, after });
    version.answer(editableCredentials(tx, orgCode));
  });
  return scimCredentialsOf(deps, caller);
}
