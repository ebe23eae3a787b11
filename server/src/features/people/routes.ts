import { groupRepo, loginHistoryRepo, memberListRepo, memberRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { memberOf } from '../../core/members/member-of.ts';
import { loginRecordOf } from '../../core/sign-in/login-record-of.ts';
import type { Deps } from '../../deps.ts';
import { news } from '../../platform/http/answers/answer.ts';
import { implement } from '../../platform/http/implement.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changeStatus } from './change-status.ts';
import { countFound } from './count-found.ts';
import { deviceOf } from './device-of.ts';
import { detailsOf, editDetails } from './edit-details.ts';
import { editableMember, editMember } from './edit-member.ts';
import { cancelEmailChange, confirmEmail, pendingEmailOf, sendEmailCode } from './email-change.ts';
import { readLoginHistoryKey } from './login-history-key.ts';
import { searchMembers } from './search-members.ts';
import { summaryOf } from './summary.ts';

/** Anyone with more reportees manages an organisation rather than a team. */
const REPORTEES_MAX = 1_000;

/** The people of an organisation. */
export function people(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getUser, ({ caller, target, version }) => {
    version.answer(editableMember(target));
    const detail = memberRepo.findMemberDetail(deps.db, target);
    return {
      profile: memberOf(target, detail, caller, deps),
      devices: detail.devices.map((device) => deviceOf(device, deps.clock.now())),
      pendingEmail: pendingEmailOf(deps, target),
      groups: [...groupRepo.listGroupsOf(deps.db, target.orgCode, target.suid)],
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

  implement(app, deps, contract.countUsers, ({ caller, query }) => countFound(deps, caller.orgCode, query));

  implement(app, deps, contract.listReportees, ({ caller }) => {
    const { orgCode, suid: managerSuid } = caller;
    const reports = memberListRepo.listReportees(deps.db, orgCode, { managerSuid, limit: REPORTEES_MAX });
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
    return news('EMAIL_VERIFIED', { profile: memberOf(member, detail, caller, deps) });
  });

  implement(app, deps, contract.cancelEmailChange, ({ caller, actor, target }) => {
    cancelEmailChange(deps, { caller, actor }, target);
    return {};
  });

  implement(app, deps, contract.getSummary, ({ caller: { orgCode }, query: { since } }) =>
    summaryOf(deps, orgCode, since === undefined ? undefined : Date.parse(since)),
  );
}
