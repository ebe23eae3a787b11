import { webhookRepo } from '@orchestrate/db';
import { maskAddress, type WebhookEndpoint } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { versionOf } from '#platform/http/versions.ts';
import { isoOf } from '#platform/times.ts';

export const editableWebhookFields = ({ url, description, enabled, events }: webhookRepo.WebhookRow) => ({
  url,
  description,
  enabled,
  events,
});

/** Returns a webhook for lists, with a masked URL and without secrets. */
export function webhookOf(deps: Pick<Deps, 'db' | 'clock'>, row: webhookRepo.WebhookRow): WebhookEndpoint {
  return { ...webhookDetailOf(deps, row), url: maskAddress(row.url) };
}

/** Returns a webhook for editing, with the full URL but without secrets. */
export function webhookDetailOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  row: webhookRepo.WebhookRow,
): WebhookEndpoint {
  const [last] = webhookRepo.listDeliveries(db, row.orgCode, row.id, { count: 1 });
  const isOldValid = row.oldSecretUntil !== null && row.oldSecretUntil > clock.now();
  return {
    id: row.id,
    ...editableWebhookFields(row),
    createdAt: isoOf(row.createdAt),
    disabledAt: isoOf(row.disabledAt),
    oldSecretUntil: isOldValid ? isoOf(row.oldSecretUntil) : null,
    lastStatus: last?.status ?? null,
    lastAttemptAt: isoOf(last?.lastAttemptAt ?? null),
    version: versionOf(editableWebhookFields(row)),
  };
}
