import { type Tx, webhookRepo } from '@orchestrate/db';
import { AUDIT_CHANGED, DAY, isMaskedAddress, maskAddress, WEBHOOKS_MAX, type WebhookForm } from '@orchestrate/shared';
import { factsWithMaskedUrl } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import { requireOutsideAddress } from '#platform/adapters/fetch-outside.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Version } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { editableWebhookFields } from './webhook-of.ts';

/** Period after a rotation in which deliveries are also signed with the previous secret. */
const OVERLAP_MS = DAY;

/** Creates a secret: `whsec_` followed by 24 to 64 bytes in base64 (Standard Webhooks 1.0.0, "Signature scheme"). */
const newSecret = ({ random }: Deps): string => `whsec_${Buffer.from(random.secret(), 'base64url').toString('base64')}`;

const webhookObject = ({ id, url }: Pick<webhookRepo.WebhookRow, 'id' | 'url'>) =>
  ({ type: 'webhook', id, name: maskAddress(url) }) as const;

/**
 * Returns the organisation's webhook with this ID.
 * @throws Refusal ID_DOESNOT_EXIST, also if the webhook belongs to another organisation
 */
export function requireWebhook(tx: Tx, orgCode: string, id: string): webhookRepo.WebhookRow {
  const found = webhookRepo.findWebhook(tx, orgCode, id);
  if (!found) throw new Refusal('ID_DOESNOT_EXIST', { message: "This webhook doesn't exist." });
  return found;
}

/**
 * Creates a webhook with a new secret.
 * @throws Refusal INVALID_REQUEST as `requireAddress`, and if the organisation has too many webhooks
 */
export function createWebhook(deps: Deps, actor: AuditActor, form: WebhookForm): webhookRepo.WebhookRow {
  const { orgCode } = actor;
  requireAddress(deps, form.url);
  return deps.db.transaction((tx) => {
    if (webhookRepo.listWebhooks(tx, orgCode).length >= WEBHOOKS_MAX) {
      throw new Refusal('INVALID_REQUEST', { message: `You can have at most ${WEBHOOKS_MAX} webhooks.` });
    }
    const id = deps.random.id();
    webhookRepo.insertWebhook(tx, { id, orgCode, ...form, secret: newSecret(deps), createdAt: deps.clock.now() });
    const created = requireWebhook(tx, orgCode, id);
    const { after } = factsWithMaskedUrl(undefined, editableWebhookFields(created));
    record(deps, tx, actor, { action: 'webhook.created', object: webhookObject(created), after });
    return created;
  });
}

/**
 * Updates a webhook. Sending its masked URL, as returned in lists, leaves the URL unchanged.
 * @throws StaleVersion; Refusal ID_DOESNOT_EXIST; INVALID_REQUEST for a URL that the portal may not call
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
    version.require(tx, { orgCode, id, editable: editableWebhookFields(before) });
    if (url !== before.url) requireAddress(deps, url);
    const forgiven = form.enabled && !before.enabled ? { failingSince: null, disabledAt: null } : {};
    webhookRepo.changeWebhook(tx, orgCode, id, { ...form, url, ...forgiven });
    const now = requireWebhook(tx, orgCode, id);
    const facts = factsWithMaskedUrl(editableWebhookFields(before), editableWebhookFields(now));
    record(deps, tx, actor, { action: 'webhook.updated', object: webhookObject(now), ...facts });
    version.answer(editableWebhookFields(now));
    return now;
  });
}

/**
 * Verifies that the portal may send deliveries to a URL.
 * @throws Refusal INVALID_REQUEST for a URL that the portal may not call, or a masked URL
 */
function requireAddress({ outsidePolicy }: Pick<Deps, 'outsidePolicy'>, url: string): void {
  if (isMaskedAddress(url)) {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'url', message: FULL_ADDRESS }] });
  }
  requireOutsideAddress(outsidePolicy, url, 'url');
}

const FULL_ADDRESS = 'This URL is masked. Enter the full URL.';

/**
 * Deletes a webhook and audits the deletion.
 * @throws Refusal ID_DOESNOT_EXIST
 */
export function deleteWebhook(deps: Deps, actor: AuditActor, id: string): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const gone = requireWebhook(tx, orgCode, id);
    webhookRepo.deleteWebhook(tx, orgCode, id);
    const { before } = factsWithMaskedUrl(editableWebhookFields(gone), undefined);
    record(deps, tx, actor, { action: 'webhook.deleted', object: webhookObject(gone), before });
  });
}

/**
 * Replaces a webhook's secret. The previous secret also signs deliveries for 24 hours.
 * @throws Refusal ID_DOESNOT_EXIST
 */
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
