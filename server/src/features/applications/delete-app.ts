import { applicationRepo } from '@orchestrate/db';
import { requireApplication } from '#core/applications.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { Refusal } from '#platform/refusal.ts';
import { applicationObject, factsOfApp } from './editable-app.ts';

/**
 * Deletes an application with its secrets. The last portal application can't be deleted, because no one could sign in
 * to restore it.
 * @throws Refusal ORG_APP_MISSING, FORBIDDEN
 */
export function deleteApp(deps: Deps, actor: AuditActor, appId: string): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const app = requireApplication(tx, orgCode, appId);
    const { integrationType } = app;
    if (integrationType === 'portal' && applicationRepo.countPortalApplications(tx, orgCode) < 2) {
      throw new Refusal('FORBIDDEN', {
        message: "An organisation's only portal application cannot be deleted.",
      });
    }
    const before = { integrationType, ...factsOfApp(tx, app) };
    applicationRepo.deleteApplication(tx, orgCode, appId);
    record(deps, tx, actor, { action: 'application.deleted', object: applicationObject(app), before });
  });
}
