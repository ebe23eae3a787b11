import { t } from '@lingui/core/macro';
import { type WebhookEndpoint, type WebhookForm, webhookForm } from '@orchestrate/shared';
import { z } from 'zod';
import { actionLabel } from '#features/audit/shared/event-words.ts';
import { type EditedField, switchField, textField } from '#ui/editing/three-way.ts';

const { url, description, enabled, events } = webhookForm.shape;

/** Form values of a webhook. `isAll` is a separate value, because an empty selection doesn't mean all events. */
export const webhookFields = z
  .object({
    url,
    description: description.removeDefault(),
    enabled: enabled.removeDefault(),
    isAll: z.boolean(),
    events: events.removeDefault(),
  })
  .refine(({ isAll, events: chosen }) => isAll || chosen.length > 0, {
    path: ['events'],
    message: t`Choose at least one event`,
  });
export type WebhookFields = z.output<typeof webhookFields>;

export const NEW_WEBHOOK: WebhookFields = { url: '', description: '', enabled: true, isAll: true, events: [] };

/** Fields shown in the conflict dialog when two people edit a webhook at the same time. */
export const webhookEditFields: EditedField<WebhookFields>[] = [
  textField(t`Address`, 'url'),
  textField(t`Description`, 'description'),
  switchField(t`Enabled`, 'enabled'),
  {
    label: t`Events`,
    paths: ['isAll', 'events'],
    show: ({ isAll, events: chosen }) => (isAll ? t`All` : chosen.map(actionLabel)),
  },
];

export const webhookFieldsOf = (
  webhook: Pick<WebhookEndpoint, 'url' | 'description' | 'enabled' | 'events'>,
): WebhookFields => ({
  url: webhook.url,
  description: webhook.description,
  enabled: webhook.enabled,
  isAll: webhook.events.length === 0,
  events: webhook.events,
});

export const webhookFormOf = ({ isAll, events: chosen, ...fields }: WebhookFields): WebhookForm => ({
  ...fields,
  events: isAll ? [] : chosen,
});
