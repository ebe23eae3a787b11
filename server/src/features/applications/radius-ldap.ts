import { type applicationRepo, radiusLdapClientRepo, type Tx } from '@orchestrate/db';
import { AUDIT_CHANGED, type IntegrationType, LIMITS, type RadiusMethod } from '@orchestrate/shared';
import { requireApplication } from '#core/applications.ts';
import { record } from '#core/audit/record.ts';
import { isWeakSecret, WEAK_SECRET } from '#core/weak-secret.ts';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { Refusal } from '#platform/refusal.ts';
import { applicationObject } from './editable-app.ts';

/** The method of a new RADIUS application: with a number, so that people don't approve by habit. */
export const METHOD: RadiusMethod = 'number';

/** 120 bits that people can type into a router: none of it looks like an option of a command. */
const newSecret = ({ random }: Pick<Deps, 'random'>): string => random.typedCode(24);

/** Whether applications of this type have a secret that both sides know. */
export const isNetworkClient = (type: IntegrationType): boolean => type === 'radius' || type === 'ldap';

/**
 * Gives a new application its secret, or changes how it asks.
 * @throws Refusal INVALID_REQUEST the organisation has as many RADIUS applications as it can have
 */
export function saveNetworkPart(
  deps: Pick<Deps, 'random'>,
  tx: Tx,
  { orgCode, appId, integrationType }: NetworkApplication,
  change: { secret?: string | undefined; method?: RadiusMethod | undefined } = {},
): void {
  const known = radiusLdapClientRepo.findRadiusLdapClient(tx, orgCode, appId);
  if (!known && integrationType === 'radius') requireRoomForRadius(tx, orgCode);
  const { secret, method } = known ?? { secret: newSecret(deps), method: METHOD };
  const client = { orgCode, appId, secret: change.secret ?? secret, method: change.method ?? method };
  radiusLdapClientRepo.saveRadiusLdapClient(tx, client);
}

type NetworkApplication = Pick<applicationRepo.ApplicationRow, 'orgCode' | 'appId' | 'integrationType'>;

/** A request is compared with the secret of each of them. */
function requireRoomForRadius(tx: Tx, orgCode: string): void {
  if (radiusLdapClientRepo.listRadiusClients(tx, orgCode).length < LIMITS.radiusApps) return;
  const message = `You've reached the limit of ${LIMITS.radiusApps} RADIUS applications. Delete one to add another.`;
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'integrationType', message }] });
}

/**
 * Clients of RADIUS are told apart by their secret alone, and nothing limits guesses: senders of UDP can be forged.
 * @throws Refusal INVALID_REQUEST another application of the organisation has it; it is easy to guess, and others can
 * reach the portal
 */
function requireRadiusSecret({ config }: Pick<Deps, 'config'>, tx: Tx, app: NetworkApplication, secret: string): void {
  if (app.integrationType !== 'radius') return;
  const refuse = (message: string) => new Refusal('INVALID_REQUEST', { issues: [{ path: 'secret', message }] });
  if (isWeakSecret(secret) && !isLocalPortal(config)) throw refuse(WEAK_SECRET);
  if (hasDuplicate(tx, app, secret)) {
    throw refuse('Another RADIUS application of your organisation has this secret. Choose a different one.');
  }
}

/** Whether another RADIUS application of the organisation has the secret. */
export function hasDuplicate(tx: Tx, { orgCode, appId }: NetworkApplication, secret: string): boolean {
  return radiusLdapClientRepo
    .listRadiusClients(tx, orgCode)
    .some((other) => other.appId !== appId && isSameSecret(other.secret, secret));
}

/**
 * Replaces the secret of a RADIUS or LDAP application. @param given by default it is generated
 * @returns the new one
 * @throws Refusal ORG_APP_MISSING; INVALID_REQUEST another kind of application, or as `requireRadiusSecret`
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
    requireRadiusSecret(deps, tx, app, given);
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
