import { plural, t } from '@lingui/core/macro';
import type { WebhookDelivery, WebhookEndpoint } from '@orchestrate/shared';
import { actionLabel } from '#features/audit/shared/event-words.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import type { StatusBadgeProps } from '#ui/feedback/status-badge.tsx';

export function webhookStatusOf({
  enabled,
  disabledAt,
}: Pick<WebhookEndpoint, 'enabled' | 'disabledAt'>): StatusBadgeProps {
  if (enabled) return { status: t`Enabled`, tone: 'success' };
  return disabledAt
    ? { status: t`Turned off automatically`, tone: 'danger', needsAction: true }
    : { status: t`Disabled`, tone: 'neutral' };
}

/** Returns a short description of the events that a webhook receives. */
export function eventSummary(events: readonly string[]): string {
  if (events.length === 0) return t`All events`;
  const [only, another] = events;
  return only && !another ? actionLabel(only) : plural(events.length, { one: '# event', other: '# events' });
}

/** Returns the display name of a delivery's event, which is "Test" for `webhook.test`. */
export const deliveryLabel = (type: string): string => (type === 'webhook.test' ? t`Test` : actionLabel(type));

/** Returns the response in one line, e.g. `204 in 12 ms`, or why there was no response. */
export function responseSummary({ responseStatus, durationMs, error, attempts }: WebhookDelivery): string {
  if (attempts === 0) return t`Not sent yet`;
  if (responseStatus === null) return error || t`No response`;
  return durationMs === null ? `HTTP ${responseStatus}` : t`HTTP ${responseStatus} in ${formatNumber(durationMs)} ms`;
}
