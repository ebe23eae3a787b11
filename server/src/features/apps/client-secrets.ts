import { clientSecretRepo } from '@orchestrate/db';
import { type ClientSecret, type createClientSecret, LIMITS, type RequestOf } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../http/refusal.ts';
import { requireApplication } from './application-detail.ts';
import { clientSecretOf } from './oidc-configuration-of.ts';

type NewSecret = RequestOf<typeof createClientSecret>['body'];

/** Another secret of an OIDC application. @throws Refusal 38; 1 no OIDC application, too many secrets, expired already */
export function addClientSecret(deps: Deps, orgCode: string, appId: string, secret: NewSecret): ClientSecret {
  const { db, random, clock } = deps;
  const now = clock.now();
  const expiresAt = secret.expiresAt === null ? null : Date.parse(secret.expiresAt);
  if (expiresAt !== null && expiresAt <= now) throw refused('expiresAt', 'Choose a time that is still to come');
  const row = {
    id: random.id(),
    orgCode,
    appId,
    name: secret.name,
    secret: random.secret(),
    createdAt: now,
    expiresAt,
  };
  db.transaction(
    (tx) => {
      if (requireApplication(tx, orgCode, appId).integrationType !== 'oidc') {
        throw refused('appId', 'Only OIDC applications have client secrets');
      }
      const existing = clientSecretRepo.listClientSecrets(tx, orgCode, appId);
      if (existing.length >= LIMITS.clientSecrets) {
        throw refused('name', `At most ${LIMITS.clientSecrets} secrets: delete one first`);
      }
      clientSecretRepo.insertClientSecret(tx, row);
    },
    { behavior: 'immediate' },
  );
  return clientSecretOf({ ...row, lastUsedAt: null });
}

/** @throws Refusal 38; 21 no such secret */
export function revokeClientSecret({ db }: Deps, orgCode: string, appId: string, secretId: string): void {
  requireApplication(db, orgCode, appId);
  if (!clientSecretRepo.deleteClientSecret(db, orgCode, appId, secretId)) throw new Refusal('ID_DOESNOT_EXIST');
}

const refused = (path: string, message: string): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });
