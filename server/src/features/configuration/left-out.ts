import { webhookRepo } from '@orchestrate/db';
import { type FullWorld, isMaskedAddress } from '@orchestrate/shared';
import type { ConfigurationFile, Path } from '#core/configuration/configuration-part.ts';
import { pairWebhooks } from '#core/configuration/pair-webhooks.ts';
import type { Deps } from '#deps.ts';
import type { ShapeIssue } from '#platform/http/requests/read-shape.ts';

const SECRET = 'Not imported because it has secrets. Set it up on its own page.';
const OTHER = "Not imported because it isn't part of a configuration.";
const FIXED = "Not imported because it can't be changed once there are members.";

/** Organisation fields in a world that an import skips, with the reason. */
const LEFT_OUT = {
  createdAt: OTHER,
  primaryAttrField: FIXED,
  primaryEmailField: FIXED,
  provider: SECRET,
  provisioning: SECRET,
  registrationTokens: SECRET,
  scimTokens: SECRET,
  scimSchemas: OTHER,
  groups: 'Not imported because groups contain people.',
  keys: SECRET,
  people: 'Not imported. Invite people, upload them as CSV or sync them from a directory.',
} as const;

/**
 * Returns the organisation fields that an import skips.
 * @param orgCode the target organisation
 */
export function skippedOrgFields({ given, isOwn }: ConfigurationFile, orgCode: string): ShapeIssue[] {
  const renames = 'Not imported because another organisation’s file can’t rename';
  return [
    ...(!isOwn && given.name !== undefined ? [{ path: ['name'], message: `${renames} ${orgCode}.` }] : []),
    ...below(given, [], LEFT_OUT),
    ...below(given.loginOptions, ['loginOptions'], { mobileAppEnabled: OTHER, allowReporteeSearch: OTHER }),
    ...(given.roles ?? []).flatMap((role, at) =>
      below(role, ['roles', at], { externalId: OTHER, createdAt: OTHER, changedAt: OTHER }),
    ),
    ...(given.apiResources ?? []).flatMap((api, at) => below(api, ['apiResources', at], { createdAt: OTHER })),
    ...(given.webhooks ?? []).flatMap((hook, at) =>
      below(hook, ['webhooks', at], {
        secret: 'Not imported. New webhooks get a new secret and existing webhooks keep theirs.',
        oldSecret: SECRET,
        oldSecretUntil: OTHER,
        createdAt: OTHER,
        failingSince: OTHER,
        disabledAt: OTHER,
      }),
    ),
    ...(given.applications ?? []).flatMap((app, at) => {
      const path = ['applications', at];
      return [
        ...(!isOwn && app.type === 'portal' && app.name !== undefined
          ? [{ path: [...path, 'name'], message: `${renames} ${orgCode}’s portal.` }]
          : []),
        ...below(app, path, { createdAt: OTHER, provisioning: SECRET, ldap: SECRET }),
        ...below(app.oidc, [...path, 'oidc'], {
          secrets: SECRET,
          registrationTokenHash: SECRET,
          registeredName: OTHER,
        }),
        ...below(app.radius, [...path, 'radius'], { secret: SECRET }),
        ...below(app.usableBy, [...path, 'usableBy'], { people: 'Not imported. Use roles or groups instead.' }),
      ];
    }),
  ];
}

/** Returns the webhooks that an import skips because their masked addresses match no existing webhook. */
export function skippedWebhooks({ db }: Deps, orgCode: string, { given }: ConfigurationFile): ShapeIssue[] {
  const hooks = given.webhooks ?? [];
  const known = pairWebhooks(hooks, webhookRepo.listWebhooks(db, orgCode));
  return hooks.flatMap(({ url }, at) =>
    !known[at] && isMaskedAddress(url) ? [{ path: ['webhooks', at, 'url'], message: MASKED }] : [],
  );
}

const MASKED =
  'Not imported because the address is masked: it can contain a token. Enter the full address to add the webhook.';

/**
 * Returns the fields outside the organisation that an import skips.
 * @param raw the file as parsed, without defaults
 */
export const skippedWorldFields = ({ now, randomSeed }: FullWorld, raw: unknown): ShapeIssue[] =>
  below({ ...(now !== undefined && { now }), ...('randomSeed' in Object(raw) && { randomSeed }) }, [], {
    now: OTHER,
    randomSeed: OTHER,
  });

/** Returns an issue for each non-empty field that `reasons` lists. */
function below(value: object | null | undefined, path: Path, reasons: Readonly<Record<string, string>>): ShapeIssue[] {
  return Object.entries(value ?? {}).flatMap(([name, given]: [string, unknown]) => {
    const message = reasons[name];
    const isEmpty = given === null || (Array.isArray(given) && given.length === 0);
    return message === undefined || isEmpty ? [] : [{ path: [...path, name], message }];
  });
}
