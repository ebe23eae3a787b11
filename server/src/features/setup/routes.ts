import { deviceRepo, memberRepo, organisationRepo, type Tx, worldRepo } from '@orchestrate/db';
import type { SetupForm } from '@orchestrate/shared';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { memberFacts, memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { firstAppOf } from '#core/device-keys/device-admission.ts';
import { emailCode } from '#core/members/issue-code.ts';
import type { Deps } from '#deps.ts';
import { hashSecret, isSameSecret } from '#platform/adapters/secrets.ts';
import { type AuditActor, identifyVisitor } from '#platform/http/callers/actors.ts';
import { hasSimulatedPhones, isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';

/**
 * Returns the setup state. Setup is open while the portal has no organisations or any organisation has no
 * administrator.
 */
export function setupState(deps: Deps): { isOpen: boolean; isEmpty: boolean; hasOpenLab: boolean } {
  const isEmpty = organisationRepo.listOrgCodes(deps.db).length === 0;
  const hasOpenLab = deps.config.lab && isLocalPortal(deps.config);
  return { isOpen: isEmpty || orgCodesToSetUp(deps, deps.db).length > 0, isEmpty, hasOpenLab };
}

/** Returns the codes of organisations that don't have an administrator yet. */
export const orgCodesToSetUp = ({ config }: Deps, tx: Tx): string[] =>
  worldRepo.listOrgCodesWithoutAdministrator(tx, {
    phones: hasSimulatedPhones(config) ? 'simulated' : 'real',
  });

/** Groups the setup code for readability, e.g. `ABCD-EFGH-…`. */
export const formatSetupCode = ({ setupCode }: Deps): string => setupCode.replace(/.{4}(?=.)/g, '$&-');

/**
 * Creates the first administrator and an activation code for their first device.
 * @throws Refusal FORBIDDEN if the code isn't the one printed at startup, or if the organisation already has an
 * administrator; EXPIRED if the code has been used; ORG_CODE_NOT_FOUND with the closest known code; USER_EXISTS if
 * another member has the email address
 */
export function setUpPortal(deps: Deps, { code, ...form }: SetupForm, visitor: AuditActor) {
  const { db, clock } = deps;
  const given = hashSecret(code.toUpperCase().replace(/[^A-Z0-9]/g, ''));
  if (!isSameSecret(given, hashSecret(deps.setupCode))) {
    throw refusedField('code', "This isn't the code that the server printed when it last started.");
  }
  const actor = identifyVisitor(visitor, form.orgCode, form.email);
  const created = db.transaction((tx) => {
    if (!worldRepo.claimSetupCode(tx, given, clock.now())) {
      throw new Refusal('EXPIRED', {
        message: 'This code has already been used. The server prints a new code when it restarts.',
      });
    }
    requireOrganisationToSetUp(deps, tx, form);
    const member = administratorOf(deps, tx, form, actor);
    const type = firstAppOf(organisationRepo.requireOrganisation(tx, form.orgCode));
    const { code: issued } = emailCode(deps, tx, { actor, member, type, isOwn: false });
    return { suid: member.suid, type, activationCode: issued.code, activationExpiry: clock.iso(issued.expiresAt) };
  });
  deps.bus.changed(TOPIC.outbox);
  deps.bus.changed(TOPIC.organisations);
  return { orgCode: form.orgCode, ...created };
}

const refusedField = (path: keyof SetupForm, message: string) =>
  new Refusal('FORBIDDEN', { message, issues: [{ path, message }] });

type Form = Omit<SetupForm, 'code'>;

/**
 * Creates the organisation if the portal is empty. Otherwise requires an existing organisation without an
 * administrator.
 */
function requireOrganisationToSetUp(deps: Deps, tx: Tx, { orgCode, orgName = orgCode, color }: Form): void {
  const known = organisationRepo.listOrgCodes(tx);
  if (known.length === 0) {
    worldRepo.insertOrganisation(tx, { orgCode, name: orgName, color, createdAt: deps.clock.now() });
    return;
  }
  if (!known.includes(orgCode)) {
    const closest = nearest(orgCode, known);
    const message = `There is no organisation ${orgCode}.${closest ? ` Did you mean ${closest}?` : ''}`;
    throw new Refusal('ORG_CODE_NOT_FOUND', { message });
  }
  if (!orgCodesToSetUp(deps, tx).includes(orgCode)) {
    throw refusedField('orgCode', `${orgCode} already has an administrator. Ask them to invite you.`);
  }
}

/**
 * Returns the administrator named in the form, creating the member if necessary. An existing Super Admin's registered
 * devices are removed, because no one can use them.
 */
function administratorOf(deps: Deps, tx: Tx, form: Form, actor: AuditActor): memberRepo.MemberRow {
  const { orgCode, firstName, lastName, email } = form;
  const known = memberRepo.findMemberByEmail(tx, orgCode, email);
  if (known?.roleCode === 'SUPER_ADMIN') {
    deviceRepo.removeDevices(tx, orgCode, known.suid, deps.clock.now());
    return known;
  }
  if (known) throw new Refusal('USER_EXISTS', { message: `${email} is already a member of ${orgCode}.` });
  const suid = deps.random.id();
  memberRepo.insertMember(tx, {
    suid,
    orgCode,
    firstName,
    lastName,
    primaryEmail: email,
    primaryAttr: email,
    roleCode: 'SUPER_ADMIN',
    accountStatus: 'unregistered',
    createdAt: deps.clock.now(),
    emailVerifiedAt: null,
  });
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member) throw new Error(`New member ${suid} not found.`);
  record(deps, tx, actor, { action: 'member.created', object: memberObject(member), after: memberFacts(member) });
  return member;
}

/** Serves the portal setup. */
export function setup(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.readSetup, () => setupState(deps));
  implement(app, deps, contract.setUp, ({ body, actor }) => setUpPortal(deps, body, actor));
}
