import { memberRepo, roleRepo, scimCredentialsRepo, type Tx } from '@orchestrate/db';
import { type contract, fullNameOf, hasAuthority, type ReplyOf } from '@orchestrate/shared';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import { ceilingOf, type LimitedCredentials } from '#core/members/maximum-grantable-role.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import type { Version } from '#platform/http/versions.ts';
import { scimPath } from '#platform/own-addresses.ts';
import { isoOf } from '#platform/times.ts';

type ScimCredentials = Omit<ReplyOf<typeof contract.getScimCredentials>, 'resultCode'>;

/**
 * Returns the current credentials. User name and password are empty until credentials have been created. The password
 * grants all of the credentials' permissions, so it is hidden from administrators who lack any of them.
 */
export function scimCredentialsOf({ db, publicUrl }: Deps, caller: Caller): ScimCredentials {
  const { orgCode } = caller;
  const endpoint = `${publicUrl}${scimPath(orgCode)}`;
  const found = scimCredentialsRepo.findScimCredentials(db, orgCode);
  if (!found) return { endpoint, ...NONE };
  const { username, password, createdAt, ceiling } = found;
  // Compare with the permissions granted at creation, because they become effective again if the creator's account is
  // re-enabled.
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

/** Returns who created the credentials, which roles they can currently grant and what limits them. */
export function authorityOf(
  tx: Tx,
  credentials: LimitedCredentials,
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

/** Returns the current user name and password, even if the user isn't allowed to see the password. */
export function editableCredentialFields(tx: Tx, orgCode: string): { username: string; password: string } {
  const { username = '', password = '' } = scimCredentialsRepo.findScimCredentials(tx, orgCode) ?? {};
  return { username, password };
}

/**
 * Replaces the credentials. The new ones can grant at most the user's permissions, and the old ones stop working.
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
    version.require(tx, { orgCode, editable: editableCredentialFields(tx, orgCode), present });
    scimCredentialsRepo.saveScimCredentials(tx, { orgCode, ...pair, madeBySuid: suid, ceiling: [...permissions] });
    const object = { type: 'scim-credentials', id: orgCode, name: pair.username } as const;
    const after = factsOf({ password: pair.password, ceiling: [...permissions] });
    record(deps, tx, actor, { action: 'scim-credentials.renewed', object, after });
    version.answer(editableCredentialFields(tx, orgCode));
  });
  return scimCredentialsOf(deps, caller);
}
