import { loginHistoryRepo, memberRepo } from '@orchestrate/db';
import { getLoginHistory, getUser } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../http/implement.ts';
import { Refusal } from '../../http/refusal.ts';
import { deviceOf } from '../../models/device.ts';
import { isoOf } from '../../models/iso-of.ts';
import { loginRecordOf } from '../../models/login-record.ts';
import { memberOf } from '../../models/member.ts';
import { readLoginHistoryKey } from './login-history-key.ts';

/** The people of an organisation. */
export function people(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, getUser, ({ caller, target }) => {
    const detail = memberRepo.findMemberDetail(deps.db, target);
    return { profile: memberOf(target, detail, caller, deps.clock.now()), devices: detail.devices.map(deviceOf) };
  });

  implement(app, deps, getLoginHistory, ({ target: { orgCode, suid }, query: { count, lastItem } }) => {
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
}
