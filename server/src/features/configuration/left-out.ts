import { webhookRepo } from '@orchestrate/db';
import { type FullWorld, isMaskedAddress } from '@orchestrate/shared';
import type { ConfigurationFile, Path } from '#core/configuration/configuration-part.ts';
import { pairWebhooks } from '#core/configuration/pair-webhooks.ts';
import type { Deps } from '#deps.ts';
import type { ShapeIssue } from '#platform/http/requests/read-shape.ts';

const SECRET = 'Not imported: it has secrets. Set it up on its own page.';
const OTHER = 'Not imported: it is not part of a configuration.';
const FIXED = "Not imported: it can't be changed once there are members.";

/** Parts of an organisation in a world that an import skips, with the reason. */
const LEFT_OUT = {
  createdAt: OTHER,
  primaryAttrField: FIXED,
  primaryEmailField: FIXED,
  provider: SECRET,
  provisioning: SECRET,
  registrationTokens: SECRET,
  scimTokens: SECRET,
  scimSchemas: OTHER,
  groups: 'Not imported: groups contain people.',
  keys: SECRET,
  people: 'Not imported: people are invited, uploaded as CSV or sent by a directory.',
} as const;

/** Returns what an import skips in the organisation. @param orgCode the target organisation */
export function leftOutOf({ given, isOwn }: ConfigurationFile, orgCode: string): ShapeIssue[] {
  const renames = 'Not imported: another organisation’s file does not rename';
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
        secret: 'Not imported: new webhooks get a new secret, existing ones keep theirs.',
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
          ? [{ path: [...path, 'name'], message: `${renames} the portal of ${orgCode}.` }]
          : []),
        ...below(app, path, { createdAt: OTHER, provisioning: SECRET, ldap: SECRET }),
        ...below(app.oidc, [...path, 'oidc'], {
          secrets: SECRET,
          registrationTokenHash: SECRET,
          registeredName: OTHER,
        }),
        ...below(app.radius, [...path, 'radius'], { secret: SECRET }),
        ...below(app.usableBy, [...path, 'usableBy'], { people: 'Not imported: name roles or groups instead.' }),
      ];
    }),
  ];
}

/** Returns the webhooks that an import skips because their masked addresses match no present webhook. */
export function maskedWebhooks({ db }: Deps, orgCode: string, { given }: ConfigurationFile): ShapeIssue[] {
  const hooks = given.webhooks ?? [];
  const known = pairWebhooks(hooks, webhookRepo.listWebhooks(db, orgCode));
  return hooks.flatMap(({ url }, at) =>
    !known[at] && isMaskedAddress(url) ? [{ path: ['webhooks', at, 'url'], message: MASKED }] : [],
  );
}

const MASKED = 'Not imported: the address is masked, because it can contain a token. Enter the full one to add it.';

/** Returns what an import skips outside the organisation. @param raw the file as parsed, without defaults */
export const leftOutOfWorld = ({ now, randomSeed }: FullWorld, raw: unknown): ShapeIssue[] =>
  below({ ...(now !== undefined && { now }), ...('randomSeed' in Object(raw) && { randomSeed }) }, [], {
    now: OTHER,
    randomSeed: OTHER,
  });

/** Returns the fields with a reason that have a value. */
function below(value: object | null | undefined, path: Path, reasons: Readonly<Record<string, string>>): ShapeIssue[] {
  return Object.entries(value ?? {}).flatMap(([name, given]: [string, unknown]) => {
    const message = reasons[name];
    const isEmpty = given === null || (Array.isArray(given) && given.length === 0);
    return message === undefined || isEmpty ? [] : [{ path: [...path, name], message }];
  });
}
