import type { auditRepo } from '@orchestrate/db';
import { type AuditFilters, contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { Download } from '../../platform/http/answers/answer.ts';
import { implement } from '../../platform/http/implement.ts';
import { exportEvents } from './export-events.ts';
import { pageOfEvents } from './page-of-events.ts';
import { pageOfSignIns } from './sign-ins.ts';

/** What was changed, and who signed in. */
export function activity(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.listActivity, ({ caller, query: { pageSize, lastItem, ...filters } }) =>
    pageOfEvents(deps, caller, filterOf(filters), { pageSize, lastItem }),
  );

  implement(app, deps, contract.exportActivity, ({ caller, query: { format, ...filters } }) => {
    const chunks = exportEvents(deps, caller, filterOf(filters), format);
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    return new Download(chunks, { type, fileName: `activity-${caller.orgCode}.${format}` });
  });

  implement(app, deps, contract.listMemberActivity, ({ caller, target: { suid }, query }) =>
    pageOfEvents(deps, caller, { suid }, query),
  );
  implement(app, deps, contract.listRoleActivity, ({ caller, params: { roleCode }, query }) =>
    pageOfEvents(deps, caller, { objectType: 'role', objectId: roleCode }, query),
  );
  implement(app, deps, contract.listAppActivity, ({ caller, params: { appId }, query }) =>
    pageOfEvents(deps, caller, { objectType: 'application', objectId: appId }, query),
  );

  implement(app, deps, contract.listSignIns, ({ caller: { orgCode }, query }) => pageOfSignIns(deps, orgCode, query));
  implement(app, deps, contract.listAppSignIns, ({ caller: { orgCode }, params: { appId }, query }) =>
    pageOfSignIns(deps, orgCode, { ...query, appId }),
  );
}

function filterOf({ q, actor, from, to, ...filters }: AuditFilters): auditRepo.AuditFilter {
  return {
    ...filters,
    text: q,
    actorSuid: actor,
    from: millisecondsOf(from),
    to: millisecondsOf(to),
  };
}

const millisecondsOf = (iso: string | undefined): number | undefined =>
  iso === undefined ? undefined : Date.parse(iso);
