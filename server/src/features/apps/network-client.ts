import { type applicationRepo, networkClientRepo, type Tx } from '@orchestrate/db';
import { AUDIT_CHANGED, type IntegrationType, type RadiusMethod } from '@orchestrate/shared';
import { record } from '../../core/audit/record.ts';
import { requireApplication } from '../../core/require-application.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { applicationObject } from './editable-app.ts';
import { METHOD } from './network-configuration.ts';

/** 120 bits that people can type into a router: none of it looks like an option of a command. */
const newSecret = ({ random }: Pick<Deps, 'random'>): string => random.typedCode(24);

/** Whether applications of this type have a secret that both sides know. */
export const isNetworkClient = (type: IntegrationType): boolean => type === 'radius' || type === 'ldap';

/** Gives a new application its secret, or changes how it asks. */
export function saveNetworkPart(
  deps: Pick<Deps, 'random'>,
  tx: Tx,
  { orgCode, appId }: Pick<applicationRepo.ApplicationRow, 'orgCode' | 'appId'>,
  change: { secret?: string | undefined; method?: RadiusMethod | undefined } = {},
): networkClientRepo.NetworkClientRow {
  const { secret, method } = networkClientRepo.findNetworkClient(tx, orgCode, appId) ?? {
    secret: newSecret(deps),
    method: METHOD,
  };
  const client = { orgCode, appId, secret: change.secret ?? secret, method: change.method ?? method };
  networkClientRepo.saveNetworkClient(tx, client);
  return client;
}

/**
 * Replaces the secret of a RADIUS or LDAP application. @param given by default it is made
 * @returns the new one
 * @throws Refusal ORG_APP_MISSING; INVALID_REQUEST another kind of application
 */
export function replaceSharedSecret(
  deps: Deps,
  actor: AuditActor,
  appId: string,
  given: string | undefined = newSecret(deps),
): string {
  deps.db.transaction((tx) => {
    const app = requireApplication(tx, actor.orgCode, appId);
    if (!isNetworkClient(app.integrationType)) {
      const issue = { path: 'appId', message: 'Only RADIUS and LDAP applications have this secret' };
      throw new Refusal('INVALID_REQUEST', { issues: [issue] });
    }
    saveNetworkPart(deps, tx, app, { secret: given });
    const after = { secret: AUDIT_CHANGED };
    record(deps, tx, actor, { action: 'application.secret-rotated', object: applicationObject(app), after });
  });
  return given;
}

export const notRadius = (): Refusal =>
  new Refusal('INVALID_REQUEST', {
    issues: [{ path: 'radiusConfiguration', message: 'Only RADIUS applications have this configuration' }],
  });
