import { type Tx, webhookRepo } from '@orchestrate/db';
import { AUDIT_CHANGED, DAY, isMaskedAddress, maskAddress, WEBHOOKS_MAX, type WebhookForm } from '@orchestrate/shared';
import { factsWithAddress } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import { requireOutsideAddress } from '#platform/adapters/fetch-outside.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Version } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { editableWebhook } from './webhook-of.ts';

/** Time after a rotation during which the previous secret also signs. */
const OVERLAP_MS = DAY;

/** Standard Webhooks 1.0.0, "Signature scheme": `whsec_` followed by base64 of 24 to 64 bytes. */
const newSecret = ({ random }: Deps): string => `whsec_${Buffer.from(random.secret(), 'base64url').toString('base64')}`;

const webhookObject = ({ id, url }: Pick<webhookRepo.WebhookRow, 'id' | 'url'>) =>
  ({ type: 'webhook', id, name: maskAddress(url) }) as const;

/** @throws Refusal ID_DOESNOT_EXIST, also for one of another organisation */
export function requireWebhook(tx: Tx, orgCode: string, id: string): webhookRepo.WebhookRow {
  const found = webhookRepo.findWebhook(tx, orgCode, id);
  if (!found) throw new Refusal('ID_DOESNOT_EXIST', { message: 'There is no such webhook.' });
  return found;
}

/** @throws Refusal INVALID_REQUEST as `requireAddress`, and for one webhook too many */
export function createWebhook(deps: Deps, actor: AuditActor, form: WebhookForm): webhookRepo.WebhookRow {
  const { orgCode } = actor;
  requireAddress(deps, form.url);
  return deps.db.transaction((tx) => {
    if (webhookRepo.listWebhooks(tx, orgCode).length >= WEBHOOKS_MAX) {
      throw new Refusal('INVALID_REQUEST', { message: `There can be at most ${WEBHOOKS_MAX} webhooks.` });
    }
    const id = deps.random.id();
    webhookRepo.insertWebhook(tx, { id, orgCode, ...form, secret: newSecret(deps), createdAt: deps.clock.now() });
    const created = requireWebhook(tx, orgCode, id);
    const { after } = factsWithAddress(undefined, editableWebhook(created));
    record(deps, tx, actor, { action: 'webhook.created', object: webhookObject(created), after });
    return created;
  });
}

/**
 * Replaces the fields of a webhook. Its own masked URL, as in lists, leaves the URL unchanged.
 * @throws StaleVersion; Refusal ID_DOESNOT_EXIST; INVALID_REQUEST for a URL that can't be reached
 */
export function updateWebhook(
  deps: Deps,
  actor: AuditActor,
  id: string,
  form: WebhookForm,
  version: Version,
): webhookRepo.WebhookRow {
  const { orgCode } = actor;
  return deps.db.transaction((tx) => {
    const before = requireWebhook(tx, orgCode, id);
    const url = form.url === maskAddress(before.url) ? before.url : form.url;
    version.require(tx, { orgCode, id, editable: editableWebhook(before) });
    if (url !== before.url) requireAddress(deps, url);
    const forgiven = form.enabled && !before.enabled ? { failingSince: null, disabledAt: null } : {};
    webhookRepo.changeWebhook(tx, orgCode, id, { ...form, url, ...forgiven });
    const now = requireWebhook(tx, orgCode, id);
    const facts = factsWithAddress(editableWebhook(before), editableWebhook(now));
    record(deps, tx, actor, { action: 'webhook.updated', object: webhookObject(now), ...facts });
    version.answer(editableWebhook(now));
    return now;
  });
}

/** @throws Refusal INVALID_REQUEST for a URL that can't be reached, or that is masked */
function requireAddress({ outsidePolicy }: Pick<Deps, 'outsidePolicy'>, url: string): void {
  if (isMaskedAddress(url)) {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'url', message: FULL_ADDRESS }] });
  }
  requireOutsideAddress(outsidePolicy, url, 'url');
}

const FULL_ADDRESS = 'This address is masked. Enter the full one.';

/** @throws Refusal ID_DOESNOT_EXIST */
export function deleteWebhook(deps: Deps, actor: AuditActor, id: string): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const gone = requireWebhook(tx, orgCode, id);
    webhookRepo.deleteWebhook(tx, orgCode, id);
    const { before } = factsWithAddress(editableWebhook(gone), undefined);
    record(deps, tx, actor, { action: 'webhook.deleted', object: webhookObject(gone), before });
  });
}

/** @throws Refusal ID_DOESNOT_EXIST */
export function rotateSecret(deps: Deps, actor: AuditActor, id: string): webhookRepo.WebhookRow {
  const { orgCode } = actor;
  return deps.db.transaction((tx) => {
    const { secret: oldSecret } = requireWebhook(tx, orgCode, id);
    const oldSecretUntil = deps.clock.now() + OVERLAP_MS;
    webhookRepo.changeWebhook(tx, orgCode, id, { secret: newSecret(deps), oldSecret, oldSecretUntil });
    const now = requireWebhook(tx, orgCode, id);
    record(deps, tx, actor, {
      action: 'webhook.secret-rotated',
      object: webhookObject(now),
      after: { secret: AUDIT_CHANGED, oldSecretUntil: isoOf(oldSecretUntil) },
    });
    return now;
  });
}
