import {
  type applicationRepo,
  outboundMarkRepo,
  outboundPersonRepo,
  outboundTargetRepo,
  type Tx,
} from '@orchestrate/db';
import { AUDIT_CHANGED, type ProvisioningForm } from '@orchestrate/shared';
import { requireApplication } from '#core/applications.ts';
import { factsWithMaskedUrl } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import { requireOutsideAddress } from '#platform/adapters/fetch-outside.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Version } from '#platform/http/versions.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { editableTargetFields, sendableAttributes } from './provisioning-of.ts';

type Target = outboundTargetRepo.TargetRow;
type Application = applicationRepo.ApplicationRow;

const WELL = { failures: 0, pausedUntil: null, stoppedAt: null, stopReason: '' } as const;

const provisioningObject = ({ appId, name }: Pick<Application, 'appId' | 'name'>) =>
  ({ type: 'app-provisioning', id: appId, name }) as const;

/**
 * Returns an application's SCIM service.
 * @throws Refusal ORG_APP_MISSING; ID_DOESNOT_EXIST if the application has no service
 */
export function requireTarget(tx: Tx, orgCode: string, appId: string): Target {
  requireApplication(tx, orgCode, appId);
  const found = outboundTargetRepo.findTarget(tx, orgCode, appId);
  if (!found) throw new Refusal('ID_DOESNOT_EXIST', { message: 'This application has no SCIM service.' });
  return found;
}

/**
 * Returns the service described by the form. Without a new secret, the current secret is kept, but only if the URL
 * and the authentication method stay the same. Otherwise someone who can't read the secret could redirect it to their
 * own server.
 * @throws Refusal INVALID_REQUEST
 */
export function targetOf(
  { outsidePolicy }: Pick<Deps, 'outsidePolicy'>,
  { secret, ...form }: ProvisioningForm,
  before: Target | undefined,
): Pick<Target, 'secret'> & Omit<ProvisioningForm, 'secret'> {
  const isSame = form.url.replace(/\/+$/, '') === before?.url;
  const url = isSame ? before.url : requireOutsideAddress(outsidePolicy, form.url, 'url').href.replace(/\/+$/, '');
  const present = before?.url === url && before.authentication === form.authentication ? before.secret : undefined;
  const effectiveSecret = secret ?? present;
  if (effectiveSecret === undefined) {
    const message = before
      ? 'Enter the secret again when you change the address or authentication method'
      : 'This field is required';
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'secret', message }] });
  }
  return { ...form, url, secret: effectiveSecret };
}

/**
 * Saves an application's service. Compares all members with the service and sends those who differ.
 * @throws StaleVersion; Refusal ORG_APP_MISSING; INVALID_REQUEST as in `targetOf`, or if an attribute isn't
 * registered
 */
export function saveTarget(
  deps: Deps,
  actor: AuditActor,
  appId: string,
  form: ProvisioningForm,
  version: Version,
): Target {
  const { db, clock, bus } = deps;
  const { orgCode } = actor;
  const saved = db.transaction((tx) => {
    const application = requireApplication(tx, orgCode, appId);
    const before = outboundTargetRepo.findTarget(tx, orgCode, appId);
    version.require(tx, before && { orgCode, id: appId, editable: editableTargetFields(before) });
    const now = clock.now();
    const written = targetOf(deps, form, before);
    requireRegistered(tx, orgCode, form.sendAttributes);
    outboundTargetRepo.saveTarget(tx, {
      ...WELL,
      createdAt: before?.createdAt ?? now,
      markedUpTo: before?.markedUpTo ?? null,
      marksAnew: before?.marksAnew ?? false,
      ...written,
      orgCode,
      appId,
    });
    const target = requireTarget(tx, orgCode, appId);
    const app = { orgCode, appId };
    // The old service's IDs mean nothing to the new service, so forget them.
    if (before && before.url !== target.url) outboundPersonRepo.deletePeople(tx, app);
    if (target.enabled) outboundMarkRepo.markAll(tx, target, { now });
    else outboundPersonRepo.unschedulePeople(tx, app);
    recordSaved(deps, tx, actor, { application, before, target });
    version.answer(editableTargetFields(target));
    return target;
  });
  bus.changed(TOPIC.provisioning);
  return saved;
}

/**
 * Requires the organisation's registered schemas to contain the attributes.
 * @throws Refusal INVALID_REQUEST
 */
function requireRegistered(tx: Tx, orgCode: string, attributes: readonly string[]): void {
  const offered = sendableAttributes(tx, orgCode);
  const issues = attributes.flatMap((attribute, at) =>
    offered.some(({ name }) => name === attribute)
      ? []
      : [{ path: `sendAttributes.${at}`, message: `None of the organisation’s schemas contains ${attribute}` }],
  );
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}

function recordSaved(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  { application, before, target }: { application: Application; before: Target | undefined; target: Target },
): void {
  const object = provisioningObject(application);
  if (!before) {
    const { after } = factsWithMaskedUrl(undefined, editableTargetFields(target));
    return void record(deps, tx, actor, { action: 'app-provisioning.created', object, after });
  }
  const facts = factsWithMaskedUrl(editableTargetFields(before), editableTargetFields(target));
  const secret = before.secret === target.secret ? {} : { secret: AUDIT_CHANGED };
  const after = { ...facts.after, ...secret };
  record(deps, tx, actor, { action: 'app-provisioning.updated', object, before: facts.before, after });
}

/**
 * Deletes an application's SCIM service.
 * @throws Refusal as in `requireTarget`
 */
export function deleteTarget(deps: Deps, actor: AuditActor, appId: string): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const application = requireApplication(tx, orgCode, appId);
    const { before } = factsWithMaskedUrl(editableTargetFields(requireTarget(tx, orgCode, appId)), undefined);
    outboundTargetRepo.deleteTarget(tx, orgCode, appId);
    record(deps, tx, actor, { action: 'app-provisioning.deleted', object: provisioningObject(application), before });
  });
}

/**
 * Resends all members, changed or not, even if the portal had stopped sending.
 * @throws Refusal as in `requireTarget`; INVALID_REQUEST if provisioning is off
 */
export function resendAll({ db, clock, bus }: Deps, orgCode: string, appId: string): Target {
  const sent = db.transaction((tx) => {
    const target = requireTarget(tx, orgCode, appId);
    if (!target.enabled) throw new Refusal('INVALID_REQUEST', { message: 'Turn on provisioning first.' });
    outboundTargetRepo.changeTarget(tx, orgCode, appId, WELL);
    outboundMarkRepo.markAll(tx, { ...target, ...WELL }, { now: clock.now(), marksAnew: true });
    return requireTarget(tx, orgCode, appId);
  });
  bus.changed(TOPIC.provisioning);
  return sent;
}
