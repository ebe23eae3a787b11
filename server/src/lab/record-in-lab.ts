import { organisationRepo } from '@orchestrate/db';
import type { AuditAction } from '@orchestrate/shared';
import { type AuditFacts, record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';

/** Records a lab action in the audit trail of every organisation, because it affects all of them. */
export function recordLabAction(
  deps: Deps,
  actor: AuditActor,
  action: Extract<AuditAction, `lab.${string}`>,
  after: AuditFacts,
): void {
  deps.db.transaction((tx) => {
    for (const orgCode of organisationRepo.listOrgCodes(tx)) {
      record(deps, tx, { ...actor, orgCode }, { action, object: { type: 'lab', id: 'lab', name: 'Lab' }, after });
    }
  });
}
