import { applicationRepo, clientSecretRepo } from '@orchestrate/db';
import { type ClientSecret, type contract, isPublicKind, LIMITS, type RequestOf } from '@orchestrate/shared';
import { factsOf } from '../../core/audit/facts-of.ts';
import { record } from '../../core/audit/record.ts';
import { requireApplication } from '../../core/require-application.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { applicationObject } from './editable-app.ts';
import { clientSecretOf } from './oidc-configuration-of.ts';

type NewSecret = RequestOf<typeof contract.createClientSecret>['body'];

/**
 * Adds a secret to an OIDC application.
 * @throws Refusal ORG_APP_MISSING; INVALID_REQUEST not an OIDC application or a public one, too many secrets, expired
 * already
 */
export function addClientSecret(deps: Deps, actor: AuditActor, appId: string, secret: NewSecret): ClientSecret {
  const { orgCode } = actor;
  const { db, random, clock } = deps;
  const now = clock.now();
  const expiresAt = secret.expiresAt === null ? null : Date.parse(secret.expiresAt);
  if (expiresAt !== null && expiresAt <= now) throw refused('expiresAt', 'Choose a time in the future');
  const row = {
    id: random.id(),
    orgCode,
    appId,
    name: secret.name,
    secret: random.secret(),
    createdAt: now,
    expiresAt,
  };
  db.transaction((tx) => {
    const app = requireApplication(tx, orgCode, appId);
    if (app.integrationType !== 'oidc') {
      throw refused('appId', 'Only OIDC applications have client secrets');
    }
    const client = applicationRepo.findOidcClient(tx, orgCode, appId);
    if (client && isPublicKind(client.kind)) {
      throw refused('appId', 'Public clients have no secrets. They use PKCE');
    }
    const existing = clientSecretRepo.listClientSecrets(tx, orgCode, appId);
    if (existing.length >= LIMITS.clientSecrets) {
      throw refused('name', `At most ${LIMITS.clientSecrets} secrets: delete one first`);
    }
    clientSecretRepo.insertClientSecret(tx, row);
    const after = factsOf({ secretName: row.name, expiresAt: secret.expiresAt });
    record(deps, tx, actor, { action: 'application.secret-added', object: applicationObject(app), after });
  });
  return clientSecretOf({ ...row, lastUsedAt: null });
}

/** @throws Refusal ORG_APP_MISSING; ID_DOESNOT_EXIST no such secret */
export function revokeClientSecret(deps: Deps, actor: AuditActor, appId: string, secretId: string): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const app = requireApplication(tx, orgCode, appId);
    const secret = clientSecretRepo.listClientSecrets(tx, orgCode, appId).find(({ id }) => id === secretId);
    if (!secret) throw new Refusal('ID_DOESNOT_EXIST');
    clientSecretRepo.deleteClientSecret(tx, orgCode, appId, secretId);
    const before = { secretName: secret.name };
    record(deps, tx, actor, { action: 'application.secret-deleted', object: applicationObject(app), before });
  });
}

const refused = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });
