import { deviceRepo, memberRepo, resetDatabase } from '@orchestrate/db';
import {
  type Access,
  cancelEmailChange,
  deleteDevice,
  deleteUser,
  type EndpointDefinition,
  editDetails,
  endSession,
  listSessions,
  MANAGER_PERMISSIONS,
  type MemberRights,
  manageDevice,
  manageUser,
  type Permission,
  type ResultName,
  regenerateActivationCode,
  removeExternalIdentity,
  replaceDevice,
  SYSTEM_ROLES,
  updateUser,
} from '@orchestrate/shared';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startSession } from '#core/sign-in/sessions.ts';
import { type SampleRequest, sampleOf } from '#testing/sample-of.ts';
import { TEST_NOW, testPortal } from '#testing/test-portal.ts';

// Set up here rather than in a hook, because test names come from the portal's endpoints.
const portal = await testPortal();
afterAll(() => portal.close());

const CALLERS: Record<string, string> = {
  SUPER_ADMIN: 'super.admin@acme.test',
  HELPDESK_ADMIN: 'helpdesk.admin@acme.test',
  SECURITY_ADMIN: 'security.admin@acme.test',
  CALL_CENTER_ADMIN: 'callcenter.admin@acme.test',
  USER: 'user@acme.test',
  'USER who is a manager': 'manager@acme.test',
};
const TARGETS = [
  'themselves',
  'a direct report',
  'another member',
  'the Super Admin',
  'a member of another organisation',
  'an unknown member',
] as const;
type Target = (typeof TARGETS)[number];

/**
 * Endpoints that refuse to act on members with more permissions than the caller (decision 062). This is the only
 * refusal by a handler that has the same result code as a refusal by the access check.
 */
const NEEDS_AUTHORITY: ReadonlySet<EndpointDefinition> = new Set([
  deleteUser,
  editDetails,
  manageUser,
  listSessions,
  endSession,
  updateUser,
  cancelEmailChange,
  deleteDevice,
  manageDevice,
  replaceDevice,
  regenerateActivationCode,
  removeExternalIdentity,
]);

function find(orgCode: string, email: string): memberRepo.MemberRow {
  const member = memberRepo.findMemberByEmail(portal.deps.db, orgCode, email);
  if (!member) throw new Error(`There is no ${email} in ${orgCode}.`);
  return member;
}

/** Returns the token of a new session for a seeded member, so that calls don't affect each other. */
async function tokenOf(email: string): Promise<string> {
  const { orgCode, suid, zid } = portal.device(email);
  return startSession(portal.deps, { orgCode, suid, zid }).token;
}

function permissionsOf(email: string): ReadonlySet<Permission> {
  const { roleCode, isManager } = find('acme', email);
  const role = SYSTEM_ROLES.find((known) => known.roleCode === roleCode);
  return new Set([...(role?.permissions ?? []), ...(isManager ? MANAGER_PERMISSIONS : [])]);
}

/** Returns the target member. The member has a device, so a forbidden call would succeed if it were admitted. */
function memberFor(email: string, target: Target): { suid: string; zid: string } {
  const caller = find('acme', email);
  const suid = {
    themselves: caller.suid,
    'a direct report': find('acme', 'marcus.oyelaran@acme.test').suid,
    'another member': stranger(),
    'the Super Admin': find('acme', CALLERS.SUPER_ADMIN ?? '').suid,
    'a member of another organisation': find('globex', 'admin@globex.test').suid,
    'an unknown member': 'nobody',
  }[target];
  const orgCode = target === 'a member of another organisation' ? 'globex' : 'acme';
  const [device] = deviceRepo.listRegisteredDevices(portal.deps.db, orgCode, suid);
  return { suid, zid: device?.zid ?? 'x' };
}

/** Returns the ID of an Org User with no special role who isn't one of the callers. */
function stranger(): string {
  const suid = portal.deps.db.$client
    .prepare<[string], string>(
      `SELECT suid FROM members
       WHERE orgCode = 'acme' AND roleCode = 'USER' AND accountStatus = 'active' AND isManager = 0
         AND managerSuid NOT IN (SELECT suid FROM members WHERE primaryEmail IN (SELECT value FROM json_each(?)))`,
    )
    .pluck()
    .get(JSON.stringify(Object.values(CALLERS)));
  if (!suid) throw new Error('Every member reports to one of the callers.');
  return suid;
}

type Outcome = 'let through' | ResultName;

/** True if a call was admitted and may have changed data. */
let isTouched = false;

const SIGNED_IN: ReadonlySet<Access['who']> = new Set(['signed-in', 'permission', 'member']);

const holds = (held: ReadonlySet<Permission>, needed: true | readonly Permission[] | undefined) =>
  needed !== undefined && (needed === true || needed.every((permission) => held.has(permission)));

/** Returns the outcome that the contract's rules require. Implemented independently of the access check under test. */
function expected(
  rights: MemberRights,
  held: ReadonlySet<Permission>,
  target: Target,
  { isManager, isSuperAdmin, needsAuthority }: Record<'isManager' | 'isSuperAdmin' | 'needsAuthority', boolean>,
): Outcome {
  const isOwnReport = target === 'a direct report' && isManager;
  const isSelf = target === 'themselves' || (target === 'the Super Admin' && isSuperAdmin);
  if (isSelf) return holds(held, rights.own) ? 'let through' : 'INVALID_PERMISSIONS';
  if (holds(held, rights.others)) {
    if (target === 'the Super Admin' && needsAuthority) return 'INVALID_PERMISSIONS';
    return target === 'an unknown member' || target === 'a member of another organisation'
      ? 'ID_DOESNOT_EXIST'
      : 'let through';
  }
  if (!holds(held, rights.reports)) return 'INVALID_PERMISSIONS';
  return isOwnReport ? 'let through' : 'ID_DOESNOT_EXIST';
}

/** Returns the outcome of a call. All handler responses map to the same outcome. */
async function outcomeOf(entry: EndpointDefinition, request: SampleRequest, token?: string): Promise<Outcome> {
  const { status, body } = await portal.call<EndpointDefinition>(entry, request, { token });
  expect(status).toBeLessThan(500);
  const isGuards = status === 401 || status === 403 || status === 404;
  const outcome = isGuards && body.resultName ? body.resultName : 'let through';
  if (outcome === 'let through' && entry.method !== 'GET') isTouched = true;
  return outcome;
}

/** Returns a request that targets a member by `suid` if the endpoint accepts it, or by primary attribute otherwise. */
function about(entry: EndpointDefinition, request: SampleRequest, { suid, zid }: { suid: string; zid: string }) {
  const part = entry.method === 'GET' ? ('query' as const) : ('body' as const);
  const shape = entry.query?.shape ?? (entry.body && 'shape' in entry.body ? Object(entry.body.shape) : {});
  const primaryAttr = primaryAttrOf(suid);
  const named = 'suid' in shape ? { suid } : { primaryAttr };
  return { ...request, [part]: { ...request[part], ...named, ...('zid' in shape && { zid }) } };
}

function primaryAttrOf(suid: string): string {
  const member = ['acme', 'globex']
    .map((orgCode) => memberRepo.findMember(portal.deps.db, orgCode, suid))
    .find(Boolean);
  return member?.primaryAttr ?? 'nobody';
}

/** Returns each set of permissions that the endpoint accepts, with a request that requires it. */
function variants(entry: EndpointDefinition): { name: string; rights: MemberRights; request: SampleRequest }[] {
  const { access } = entry;
  if (access.who !== 'member') return [];
  const request = sampleOf(entry);
  const { when } = access;
  if (!when) return [{ name: '', rights: access, request }];
  const special = { ...request, body: { ...request.body, [when.field]: when.is } };
  const isAlways = request.body?.[when.field] === when.is;
  return [
    ...(isAlways ? [] : [{ name: '', rights: access, request }]),
    { name: ` with ${when.field}=${when.is}`, rights: when.rights, request: special },
  ];
}

// Lab access does not depend on who is signed in: see require-lab.test.ts.
for (const entry of portal.deps.registered.endpoints.filter(({ access }) => access.who !== 'lab')) {
  const { access, method, path } = entry;
  describe(`${method} ${path}`, () => {
    // Reset the data after an admitted call, which could affect later calls.
    beforeEach(() => {
      if (isTouched) resetDatabase(portal.deps.db, 'demo', TEST_NOW);
      isTouched = false;
    });

    if (!SIGNED_IN.has(access.who)) {
      test('requires no access token', async () => {
        const outcome = await outcomeOf(entry, sampleOf(entry));
        expect(['UNAUTHORIZED', 'INVALID_PERMISSIONS']).not.toContain(outcome);
      });
      return;
    }

    // covers: security 8.3.1
    test('refuses users who are not signed in', async () => {
      expect(await outcomeOf(entry, sampleOf(entry))).toBe('UNAUTHORIZED');
    });

    // covers: security T6, security 15.3.7
    test.each(['orgCode', 'orgId', 'org'])('refuses requests that name another organisation as %s', async (name) => {
      const token = await tokenOf('super.admin@acme.test');
      const request = sampleOf(entry);
      const part = method === 'GET' ? ('query' as const) : ('body' as const);
      const elsewhere = { ...request, [part]: { ...request[part], [name]: 'globex' } };
      expect(await outcomeOf(entry, elsewhere, token)).toBe('FORBIDDEN');
    });

    for (const [role, email] of Object.entries(CALLERS)) {
      if (access.who === 'signed-in') {
        // covers: spec 1.6.1, spec 2.6.1
        test(`admits ${role}`, async () => {
          const outcome = await outcomeOf(entry, sampleOf(entry), await tokenOf(email));
          expect(['UNAUTHORIZED', 'INVALID_PERMISSIONS', 'FORBIDDEN']).not.toContain(outcome);
        });
      }
      if (access.who === 'permission') {
        // covers: spec 1.6.4, spec 2.2.4, spec 2.2.5, spec 2.6.3, security 8.2.1
        test(`admits ${role} only with ${access.permission}`, async () => {
          const outcome = await outcomeOf(entry, sampleOf(entry), await tokenOf(email));
          const held = permissionsOf(email);
          const mayCall = held.has(access.permission) || (access.forSaml !== undefined && held.has(access.forSaml));
          expect(outcome === 'INVALID_PERMISSIONS').toBe(!mayCall);
        });
      }
      for (const { name, rights, request } of variants(entry)) {
        // covers: spec 1.6.5, spec 1.6.6, security 8.2.2
        test.each(TARGETS)(`checks the permission of ${role} to act on %s${name}`, async (target) => {
          const wanted = expected(rights, permissionsOf(email), target, {
            isManager: find('acme', email).isManager && email === 'manager@acme.test',
            isSuperAdmin: role === 'SUPER_ADMIN',
            needsAuthority: NEEDS_AUTHORITY.has(entry),
          });
          const { suid, zid } = memberFor(email, target);
          // A refused request must be valid otherwise. An admitted request must not change data, so it names a device
          // that doesn't exist.
          const subject = { suid, zid: wanted === 'let through' ? 'x' : zid };
          const outcome = await outcomeOf(entry, about(entry, request, subject), await tokenOf(email));
          const isLetThrough = wanted === 'let through' && !['UNAUTHORIZED', 'INVALID_PERMISSIONS'].includes(outcome);
          expect(isLetThrough ? wanted : outcome).toBe(wanted);
        });
      }
    }
  });
}
