import { isDeepStrictEqual } from 'node:util';
import { webhookRepo } from '@orchestrate/db';
import { isMaskedAddress, webhookForm } from '@orchestrate/shared';
import { type ConfigurationPart, stepAt } from '#core/configuration/configuration-part.ts';
import { pairWebhooks } from '#core/configuration/pair-webhooks.ts';
import { readPart } from '#platform/http/requests/read-request.ts';
import { ANY_VERSION } from '#platform/http/versions.ts';
import { editableWebhookFields } from './webhook-of.ts';
import { createWebhook, updateWebhook } from './write-webhook.ts';

/**
 * Imports a file's webhooks. Webhooks with a known URL are updated and keep their secrets. The rest are created with
 * new secrets, except for those with a masked URL.
 */
export const configuredWebhooks: ConfigurationPart = ({ deps, actor, file: { given } }) => {
  const hooks = given.webhooks ?? [];
  return hooks.map((hook, at) => ({
    ...stepAt(['webhooks', at]),
    prepare: () => () => {
      const known = pairWebhooks(hooks, webhookRepo.listWebhooks(deps.db, actor.orgCode))[at];
      if (!known && isMaskedAddress(hook.url)) return;
      const { description, enabled, events } = hook;
      const values = Object.fromEntries(
        Object.entries({ description, enabled, events }).filter(([, value]) => value !== undefined),
      );
      const form = readPart(webhookForm, { url: hook.url, ...(known && editableWebhookFields(known)), ...values });
      if (!known) createWebhook(deps, actor, form);
      else if (!isDeepStrictEqual(form, editableWebhookFields(known))) {
        updateWebhook(deps, actor, known.id, form, ANY_VERSION);
      }
    },
  }));
};
