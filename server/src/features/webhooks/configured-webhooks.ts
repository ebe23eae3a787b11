import { isDeepStrictEqual } from 'node:util';
import { webhookRepo } from '@orchestrate/db';
import { webhookForm } from '@orchestrate/shared';
import { type ConfigurationPart, stepAt } from '../../core/configuration/configuration-part.ts';
import { readPart } from '../../platform/http/requests/read-request.ts';
import { ANY_VERSION } from '../../platform/http/versions.ts';
import { editableWebhook } from './webhook-of.ts';
import { createWebhook, updateWebhook } from './write-webhook.ts';

/**
 * The webhooks that a file gives an organisation: those whose addresses it has are changed and keep their secrets, the
 * others are made, with secrets of their own. Of several with one address, the first in the file is the first there is.
 */
export const configuredWebhooks: ConfigurationPart = ({ deps, actor, file: { given } }) => {
  const hooks = given.webhooks ?? [];
  return hooks.map((hook, at) => ({
    ...stepAt(['webhooks', at]),
    prepare: () => () => {
      const before = hooks.slice(0, at).filter(({ url }) => url === hook.url).length;
      const known = webhookRepo.listWebhooks(deps.db, actor.orgCode).filter(({ url }) => url === hook.url)[before];
      const { url, description, enabled, events } = hook;
      const said = Object.fromEntries(
        Object.entries({ url, description, enabled, events }).filter(([, value]) => value !== undefined),
      );
      const form = readPart(webhookForm, { ...(known && editableWebhook(known)), ...said });
      if (!known) createWebhook(deps, actor, form);
      else if (!isDeepStrictEqual(form, editableWebhook(known))) {
        updateWebhook(deps, actor, known.id, form, ANY_VERSION);
      }
    },
  }));
};
