import {
  anyFieldSearchRepo,
  groupRepo,
  loginHistoryRepo,
  memberCountRepo,
  memberIdRepo,
  memberListRepo,
  memberRepo,
  organisationRepo,
} from '@orchestrate/db';
import {
  type AccountStatus,
  accountStatus,
  contract,
  type Device,
  id,
  LIMITS,
  statusesFoundBy,
  time,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { StatusAction } from '#core/members/account-status.ts';
import { requireAuthorityOver } from '#core/members/authority.ts';
import { changeAccountStatus, publishStatusChange } from '#core/members/change-account-status.ts';
import { memberOf } from '#core/members/member-of.ts';
import { loginRecordOf } from '#core/sign-in/login-record-of.ts';
import { isNewDevice } from '#core/sign-in/new-devices.ts';
import type { Deps } from '#deps.ts';
import { successWith } from '#platform/http/answers/answer.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import type { Call } from '#platform/http/handler.ts';
import { implement } from '#platform/http/implement.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { detailsOf, editDetails } from './edit-details.ts';
import { editableMemberFields, editMember } from './edit-member.ts';
import {
  cancelEmailChange,
  confirmEmail,
  pendingEmailOf,
  requireExistingMember,
  sendEmailCode,
} from './email-change.ts';
import { countExpiringCodes } from './expiring-codes.ts';
import { readField, searchMembers } from './search-members.ts';
import { countMembers, summaryOf } from './summary.ts';

const STATUSES = accountStatus.options;

/**
 * Returns how many members match, in total, by status and with an expiring code, up to the counting limit. Without a
 * text, counts all members.
 * @throws Refusal INVALID_REQUEST if the field can't be searched
 */
function countMatches(deps: Deps, orgCode: string, { q: text, field }: Call<typeof contract.countUsers>['query']) {
  const { db } = deps;
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
  const search = { text, field: readField(field, organisation) };
  const most = LIMITS.searchCountMax;
  const find = (status?: AccountStatus) => memberIdRepo.findIds(db, organisation, { ...search, status }, most);
  const found = text === undefined ? [] : find();
  const { count: codesExpiring, isMore } = countExpiringCodes(deps, { organisation, search, found });
  if (text === undefined) {
    return { counts: countMembers(memberCountRepo.listMemberCounts(db, orgCode)), more: [], codesExpiring };
  }
  const isMany = found.length > most;
  const present = isMany ? undefined : memberIdRepo.listMembersByRowIds(db, found);
  const counted = { all: found.length } as Record<'all' | AccountStatus, number>;
  for (const status of STATUSES) {
    counted[status] =
      present && status !== 'deleted'
        ? present.filter(({ accountStatus }) => statusesFoundBy(status).includes(accountStatus)).length
        : find(status).length;
  }
  const names = ['all', ...STATUSES] as const;
  return {
    counts: Object.fromEntries(names.map((of) => [of, Math.min(counted[of], most)])) as typeof counted,
    // For a short text with many matches, mark every count as incomplete, because not all of the matches are
    // examined.
    more: [
      ...names.filter((of) => counted[of] > most || (isMany && anyFieldSearchRepo.isShortText(text))),
      ...(isMore ? (['codesExpiring'] as const) : []),
    ],
    codesExpiring,
  };
}

/**
 * Disables, enables or deletes another member, and immediately ends their sessions, channels and pending requests.
 * @throws Refusal ID_DOESNOT_EXIST if the member is deleted; INVALID_PERMISSIONS if the member has more permissions
 * than the acting member, or is the last Super Admin
 */
function changeStatus(
  deps: Deps,
  { caller, actor, target: { orgCode, suid } }: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  action: StatusAction,
): AccountStatus {
  const change = deps.db.transaction((tx) => {
    const member = requireExistingMember(tx, orgCode, suid);
    requireAuthorityOver(tx, caller, member);
    return changeAccountStatus(deps, tx, actor, member, action);
  });
  publishStatusChange(deps, change);
  return change.accountStatus;
}

/**
 * Returns a device in use for the API. Removed and lost devices are never returned, so every device that isn't paused
 * is active.
 */
function deviceOf(row: memberRepo.DeviceView, now: number): Device {
  return {
    zid: row.zid,
    name: row.name,
    nickName: row.nickName,
    type: row.type,
    status: row.status === 'paused' ? 'paused' : 'active',
    registeredDate: isoOf(row.registeredAt),
    lastLogin: isoOf(row.lastLoginAt),
    approvesFrom: isNewDevice(row, now) ? isoOf(row.approvesFrom) : undefined,
  };
}

const loginHistoryKey = z.object({ timestamp: time, id });

/**
 * Parses the key of the record before the next page, with its time in milliseconds.
 * @throws Refusal as in `readPageKey`
 */
function readLoginHistoryKey(lastItem: string): { timestamp: number; id: string } {
  const { timestamp, id } = readPageKey(loginHistoryKey, lastItem);
  return { timestamp: Date.parse(timestamp), id };
}

/** Maximum number of reportees listed. A member with more reportees manages an organisation rather than a team. */
const REPORTEES_MAX = 1_000;

/** Serves an organisation's members. */
export function people(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getUser, ({ caller, target, version }) => {
    version.answer(editableMemberFields(target));
    const detail = memberRepo.findMemberDetail(deps.db, target);
    return {
      profile: memberOf(target, detail, caller, deps),
      devices: detail.devices.map((device) => deviceOf(device, deps.clock.now())),
      pendingEmail: pendingEmailOf(deps, target),
      groups: [...groupRepo.listMemberGroups(deps.db, target.orgCode, target.suid)],
      details: caller.permissions.includes('UPDATE_USER') ? detailsOf(deps, target) : null,
    };
  });

  implement(app, deps, contract.getLoginHistory, ({ target: { orgCode, suid }, query: { count, lastItem } }) => {
    const before = lastItem === undefined ? undefined : readLoginHistoryKey(lastItem);
    if (before && !loginHistoryRepo.hasLoginRecord(deps.db, orgCode, suid, before.id)) {
      throw new Refusal('AUTH_HISTORY_MISSING');
    }
    const found = loginHistoryRepo.listLoginHistory(deps.db, orgCode, suid, { count: count + 1, before });
    const page = found.slice(0, count);
    const last = found.length > count ? page.at(-1) : undefined;
    return {
      records: page.map(loginRecordOf),
      LastEvaluatedKey: last ? { timestamp: isoOf(last.timestamp), id: last.id } : null,
    };
  });

  implement(app, deps, contract.searchUsers, ({ caller, query }) => {
    const { found, next = null } = searchMembers(deps, caller.orgCode, query);
    return {
      Items: found.map(({ member, summary }) => memberOf(member, summary, caller, deps)),
      LastEvaluatedKey: next,
    };
  });

  implement(app, deps, contract.countUsers, ({ caller, query }) => countMatches(deps, caller.orgCode, query));

  implement(app, deps, contract.listReportees, ({ caller }) => {
    const { orgCode, suid: managerSuid } = caller;
    const reports = memberListRepo.listDirectReports(deps.db, orgCode, { managerSuid, limit: REPORTEES_MAX });
    const listed = memberListRepo.summariseMembers(deps.db, orgCode, reports);
    return { reportee: listed.map(({ member, summary }) => memberOf(member, summary, caller, deps)) };
  });

  implement(app, deps, contract.deleteUser, ({ caller, actor, target }) => {
    changeStatus(deps, { caller, actor, target }, 'delete');
    return {};
  });

  implement(app, deps, contract.manageUser, ({ caller, actor, target, body: { action } }) => ({
    accountStatus: changeStatus(deps, { caller, actor, target }, action),
  }));

  implement(
    app,
    deps,
    contract.updateUser,
    ({ caller, actor, target, body: { primaryAttr: _who, ...form }, version }) => {
      const edited = editMember(deps, { caller, actor, target }, form, version);
      const detail = memberRepo.findMemberDetail(deps.db, edited);
      return {
        profile: memberOf(edited, detail, caller, deps),
        pendingEmail: pendingEmailOf(deps, edited),
      };
    },
  );

  implement(app, deps, contract.editDetails, ({ caller, actor, target, body: { suid: _who, ...form } }) => {
    const edited = editDetails(deps, { caller, actor, target }, form);
    return { profile: memberOf(edited, memberRepo.findMemberDetail(deps.db, edited), caller, deps) };
  });

  implement(app, deps, contract.sendEmailCode, (call) => ({ pendingEmail: sendEmailCode(deps, call) }));

  implement(app, deps, contract.verifyEmail, ({ caller, actor, body: { otp } }) => {
    const member = confirmEmail(deps, { caller, actor }, otp);
    const detail = memberRepo.findMemberDetail(deps.db, member);
    return successWith('EMAIL_VERIFIED', { profile: memberOf(member, detail, caller, deps) });
  });

  implement(app, deps, contract.cancelEmailChange, ({ caller, actor, target }) => {
    cancelEmailChange(deps, { caller, actor }, target);
    return {};
  });

  implement(app, deps, contract.getSummary, ({ caller, query: { since, timeZone } }) =>
    summaryOf(deps, caller, { timeZone, since: since === undefined ? undefined : Date.parse(since) }),
  );
}
