import { activationCodeRepo, invitationRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import {
  type AppType,
  bulkInviteLive,
  contract,
  fullNameOf,
  INVITATION_COUNT_MAX,
  invitationKey,
  type OpenInvitation,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { appSwitchObstacle, requireNoObstacle } from '#core/device-keys/device-admission.ts';
import { hasAuthorityOver, requireAuthorityOver } from '#core/members/authority.ts';
import { memberOf } from '#core/members/member-of.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { requirePermission } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { serveChannel } from '#platform/live/serve-channel.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { addUser } from './add-user.ts';
import { createInvites, writeInvitations } from './invite-batch.ts';
import { checkInvitees, inviteUsers } from './invite-users.ts';
import { inviteObstacle } from './judge-invitee.ts';
import { createUploadProgress, type UploadProgress, uploadTopic } from './upload-progress.ts';

/** Maximum number of invitations examined per request. */
const REACH = 5_000;

interface InvitationQuery {
  state?: 'valid' | 'expired' | undefined;
  type?: AppType | undefined;
  q?: string | undefined;
  pageSize: number;
  lastItem?: string | undefined;
}

/**
 * Returns one page of open invitations.
 * @throws Refusal INVALID_REQUEST if the portal didn't issue the page key
 */
function pageOfInvitations(
  { db, clock }: Deps,
  caller: Caller,
  { state, type, q, pageSize, lastItem }: InvitationQuery,
) {
  const { orgCode } = caller;
  const now = clock.now();
  const key = lastItem === undefined ? undefined : readPageKey(invitationKey, lastItem);
  const { found, last } = invitationRepo.listOpenInvitations(
    db,
    orgCode,
    { isExpired: state && state === 'expired', type, text: q?.toLowerCase(), now },
    { count: pageSize, after: key && { ...key, expiresAt: Date.parse(key.expiresAt) }, reach: REACH },
  );
  const count = (isExpired: boolean) =>
    invitationRepo.countOpenInvitations(db, orgCode, { isExpired, now, limit: INVITATION_COUNT_MAX });
  return {
    Items: found.map((row) => invitationOf(row, { now, canWithdraw: hasAuthorityOver(db, caller, row) })),
    LastEvaluatedKey: last && { ...last, expiresAt: isoOf(last.expiresAt) },
    counts: { valid: count(false), expired: count(true) },
  };
}

function invitationOf(
  row: invitationRepo.OpenInvitation,
  { now, canWithdraw }: { now: number; canWithdraw: boolean },
): OpenInvitation {
  const { suid, email, type, invitedBy, usedAt } = row;
  return {
    suid,
    primaryAttr: row.primaryAttr,
    accountStatus: row.accountStatus,
    name: fullNameOf(row),
    email,
    type,
    invitedAt: isoOf(row.invitedAt),
    ...(invitedBy !== null && { invitedBy: { suid: invitedBy, name: row.inviterName } }),
    validFrom: isoOf(row.validFrom),
    expiresAt: isoOf(row.expiresAt),
    openedAt: usedAt === null ? null : isoOf(usedAt),
    state: stateOf(row, now),
    canWithdraw,
  };
}

function stateOf(
  { email, primaryEmail, usedAt, validFrom, expiresAt }: invitationRepo.OpenInvitation,
  now: number,
): OpenInvitation['state'] {
  if (expiresAt <= now) return 'expired';
  if (email !== primaryEmail) return 'moved';
  if (usedAt !== null) return 'opened';
  return validFrom > now ? 'early' : 'waiting';
}

interface Invited {
  suid: string;
  type: AppType;
}

/**
 * Emails a new link to the member's current address and issues a new code. Earlier links and the last code stop
 * working.
 * @throws Refusal ID_DOESNOT_EXIST if there is no open invitation; USER_INACTIVE, MOBILE_UNVERIFIED,
 * MOBILE_APP_NOT_ENABLED, DESKTOP_APP_NOT_ENABLED, AUTHENTICATOR_DISALLOWED if the member may not be invited now
 */
function resendInvitation(deps: Deps, actor: AuditActor, { suid, type }: Invited): { expiresAt: string } {
  const { db, bus } = deps;
  const expiresAt = db.transaction((tx) => {
    const { orgCode } = actor;
    const organisation = organisationRepo.requireOrganisation(tx, orgCode);
    const member = requireMember(tx, orgCode, suid);
    if (!invitationRepo.dropInvitations(tx, orgCode, suid, type)) throw new Refusal('ID_DOESNOT_EXIST');
    requireNoObstacle(inviteObstacle(type, member) ?? appSwitchObstacle(type, organisation));
    const { firstName, language, primaryEmail: email } = member;
    const invitee = { suid, firstName, language, email, needsCode: true, needsMail: true };
    const created = createInvites(deps, { organisation, type, invitedBy: actor.suid }, [invitee]);
    writeInvitations(deps, tx, created);
    const after = { primaryEmail: email, type, mailed: true, isNew: false };
    record(deps, tx, actor, { action: 'member.invited', object: memberObject(member), after });
    return created.links[0]?.expiresAt;
  });
  bus.changed(TOPIC.outbox);
  bus.changed(TOPIC.member(suid));
  return { expiresAt: isoOf(expiresAt ?? 0) };
}

/**
 * Withdraws an invitation. Its links and code stop working, and the member becomes unregistered again. For an
 * invitation without an email, this only revokes the code.
 * @throws Refusal ID_DOESNOT_EXIST if there is no open invitation; INVALID_PERMISSIONS if the member has permissions
 * that the withdrawing member lacks
 */
function withdrawInvitation(
  deps: Deps,
  { caller, actor }: { caller: Caller; actor: AuditActor },
  { suid, type }: Invited,
): void {
  const { db, bus } = deps;
  const { orgCode } = caller;
  db.transaction((tx) => {
    const member = requireMember(tx, orgCode, suid);
    requireAuthorityOver(tx, caller, member);
    const hadCode = activationCodeRepo.revokeActivationCodes(tx, orgCode, suid, type);
    const wasOpen = invitationRepo.dropInvitations(tx, orgCode, suid, type);
    if (!wasOpen && !(hadCode && member.accountStatus === 'invited')) throw new Refusal('ID_DOESNOT_EXIST');
    const before = { primaryEmail: member.primaryEmail, type };
    record(deps, tx, actor, {
      action: 'member.invitation-withdrawn',
      object: memberObject(member),
      before,
    });
  });
  bus.changed(TOPIC.outbox);
  bus.changed(TOPIC.member(suid));
}

function requireMember(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow {
  const member = memberRepo.findMember(tx, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  return member;
}

/** Sends an upload's progress to its owner. The channel can be opened before the upload starts. */
function serveUploadProgress(app: FastifyInstance, deps: Deps, progress: UploadProgress): void {
  serveChannel(app, deps, bulkInviteLive, {
    open({ caller, query: { uploadId } }) {
      requirePermission(caller, 'BULK_INVITE');
      const name = { suid: caller.suid, uploadId };
      return {
        topics: [uploadTopic(name)],
        state: () => ({ message: { op: 'bulk-invite' as const, ...progress.of(name) } }),
      };
    },
  });
}

/** Serves the endpoints for adding a member, inviting people by address or file, and managing open invitations. */
export function invite(app: FastifyInstance, deps: Deps): void {
  const progress = createUploadProgress(deps);

  implement(app, deps, contract.inviteUsers, ({ actor, body }) => inviteUsers(deps, { actor, ...body }));

  implement(app, deps, contract.checkInvitees, ({ caller, body }) => checkInvitees(deps, caller.orgCode, body));

  implement(app, deps, contract.bulkInvite, async ({ caller, actor, query, form: { sendEmail, ...form }, file }) => {
    const { bulkInvite } = await import('./bulk-invite.ts');
    return bulkInvite(deps, progress, { ...form, ...optionsOf({ ...query, sendEmail }), caller, actor, file });
  });

  implement(app, deps, contract.checkBulkInvite, async ({ caller, query, form: { sendEmail, ...form }, file }) => {
    const { checkFile } = await import('./check-file.ts');
    return checkFile(deps, { ...form, ...optionsOf({ ...query, sendEmail }), caller, file });
  });

  implement(app, deps, contract.addUser, ({ caller, actor, body }) => {
    const member = addUser(deps, { caller, actor }, body);
    const detail = memberRepo.findMemberDetail(deps.db, member);
    return { profile: memberOf(member, detail, caller, deps) };
  });

  implement(app, deps, contract.listInvitations, ({ caller, query }) => pageOfInvitations(deps, caller, query));

  implement(app, deps, contract.resendInvitation, ({ actor, body }) => resendInvitation(deps, actor, body));

  implement(app, deps, contract.withdrawInvitation, ({ caller, actor, body }) => {
    withdrawInvitation(deps, { caller, actor }, body);
    return {};
  });

  serveUploadProgress(app, deps, progress);
}

const optionsOf = <T extends { sendEmail: string; addNew: string }>({ sendEmail, addNew, ...others }: T) => ({
  ...others,
  sendEmail: sendEmail === 'true',
  addNew: addNew === 'true',
});
