import { applicationRepo } from '@orchestrate/db';
import type { contract, RequestOf } from '@orchestrate/shared';
import { factsOf } from '../../core/audit/facts-of.ts';
import { record } from '../../core/audit/record.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import type { Version } from '../../platform/http/versions.ts';
import { Refusal } from '../../platform/refusal.ts';
import { requireAppUsers } from './app-users.ts';
import { applicationDetail, requireApplication } from './application-detail.ts';
import { notOidc } from './create-app.ts';
import { applicationObject, editableApp } from './editable-app.ts';
import { ofClients } from './of-clients.ts';

type AppChange = RequestOf<typeof contract.updateApp>['body'];

/**
 * Replaces the fields that are sent.
 * @throws StaleVersion; Refusal ORG_APP_MISSING; ORG_APP_ALREADY_EXISTS the name is taken; INVALID_REQUEST an OIDC
 * configuration for another application, or as `requireAppUsers`
 */
export function updateApp(deps: Deps, actor: AuditActor, appId: string, body: AppChange, version: Version): void {
  const { orgCode } = actor;
  const { oidcConfiguration, appId: _id, orgCode: _organisation, ...change } = body;
  deps.db.transaction(
    (tx) => {
      const before = requireApplication(tx, orgCode, appId);
      const editable = editableApp(tx, before);
      const present = () => applicationDetail(deps, orgCode, appId);
      version.require(tx, { orgCode, id: appId, editable, present });
      if (oidcConfiguration && before.integrationType !== 'oidc') throw notOidc();
      requireAppUsers(tx, before, change.usableBy);
      const isDone = applicationRepo.changeApplication(tx, orgCode, appId, change);
      if (!isDone) throw new Refusal('ORG_APP_ALREADY_EXISTS');
      if (oidcConfiguration) {
        applicationRepo.changeOidcClient(tx, orgCode, appId, ofClients(oidcConfiguration.clients));
      }
      const app = requireApplication(tx, orgCode, appId);
      const facts = { before: factsOf(editable), after: factsOf(editableApp(tx, app)) };
      record(deps, tx, actor, { action: 'application.updated', object: applicationObject(app), ...facts });
    },
    { behavior: 'immediate' },
  );
}
