import {
  clientKind,
  LIMITS,
  MEMBER_FIELDS,
  nameKey,
  samlTemplateProblem,
  tokenSettingProblem,
} from '@orchestrate/shared';
import { HTTPS_REQUIRED_MESSAGE } from '#core/requires-https.ts';
import { requireEncryptionKey } from '#core/saml-metadata/encryption-key.ts';
import { readProvider } from '#core/saml-metadata/read-service-provider.ts';
import { samlFieldIssues } from '#core/saml-metadata/saml-field-issues.ts';
import { isWeakSecret, WEAK_SECRET_MESSAGE } from '#core/weak-secret.ts';
import { Refusal } from '#platform/refusal.ts';
import { checkMemberExists, type OrganisationContext } from './check-people.ts';
import { fields, indexedFields, type Path, type ReportIssue, trimText } from './raw.ts';

/** What an organisation's applications can refer to. */
interface Known {
  /** True if only this machine can reach the portal. */
  isLocal: boolean;
  /** Lower-case name of the portal application, which every organisation has. */
  portalName: string;
  /** Members' email addresses and IDs. */
  names: readonly string[];
  /** Group names, in lower case. */
  groups: readonly string[];
  /** Name of the organisation's primary attribute, which templates can contain. */
  primaryAttrField: string;
  /** Registered attributes, each prefixed with its schema URN. */
  attributes: ReadonlySet<unknown>;
  /** Returns true if the URL must use HTTPS on this portal. */
  needsHttps: (address: string) => boolean;
}

/** Checks an organisation's applications for errors that the schema can't catch. */
export async function checkApplications(apps: unknown, known: Known, context: OrganisationContext): Promise<void> {
  const { portalName, isLocal } = known;
  const { orgCode, path, complain, unique } = context;
  const all = indexedFields(apps);
  const gateways = all.filter(([, { type }]) => type === 'radius').length;
  if (gateways > LIMITS.radiusApps) {
    complain(path, `${orgCode} can have at most ${LIMITS.radiusApps} RADIUS applications, not ${gateways}.`);
  }
  const hasPortal = all.some(([, { type }]) => type === 'portal');
  for (const [nth, app] of all) {
    const at = [...path, nth];
    const { type = 'oidc', oidc, saml } = app;
    const id = trimText(app.id);
    unique('The application', id, [...at, 'id'], orgCode);
    const name = nameKey(trimText(app.name) ?? id ?? '') || undefined;
    unique('The name', name, [...at, 'name'], orgCode);
    if (name === portalName && !hasPortal)
      complain([...at, 'name'], 'The built-in portal application already uses this name.');
    if (id === 'portal' && !hasPortal)
      complain([...at, 'id'], 'portal is the portal application, which always exists.');
    if (type === 'oidc' && oidc === undefined)
      complain([...at, 'oidc'], 'Applications of type oidc require this field.');
    if (type === 'saml' && saml === undefined)
      complain([...at, 'saml'], 'Applications of type saml require this field.');
    if (app.startUrl !== undefined && app.startUrl !== '' && type !== 'oidc' && type !== 'saml')
      complain([...at, 'startUrl'], `Applications of type ${String(type)} don't have this field.`);
    for (const part of ['oidc', 'saml', 'radius', 'ldap']) {
      if (type !== part && app[part] !== undefined)
        complain([...at, part], `Applications of type ${String(type)} don't have this field.`);
    }
    const shared = trimText(fields(app.radius).secret);
    if (!isLocal && shared !== undefined && isWeakSecret(shared)) {
      complain([...at, 'radius', 'secret'], `${WEAK_SECRET_MESSAGE}.`);
    }
    for (const [nth, secret] of indexedFields(fields(oidc).secrets)) {
      unique('The id', trimText(secret.id), [...at, 'oidc', 'secrets', nth, 'id'], 'secret');
    }
    checkAttributes(app.provisioning, known, { ...context, path: [...at, 'provisioning', 'sendAttributes'] });
    checkUsers(fields(app.usableBy), known, { ...context, path: [...at, 'usableBy'] });
    for (const [nth, claim] of indexedFields(fields(oidc).claims)) {
      const of = [...at, 'oidc', 'claims', nth];
      checkUsers(claim, known, { ...context, path: of });
      const value = trimText(claim.value);
      const problem = value && samlTemplateProblem(value, [...MEMBER_FIELDS, known.primaryAttrField]);
      if (problem) complain([...of, 'value'], problem);
    }
    if (type === 'saml') checkSamlFields(fields(saml), known, [...at, 'saml'], complain);
    checkAddresses(fields(oidc), known, [...at, 'oidc'], complain);
    checkTokenSettings(fields(oidc), [...at, 'oidc'], complain);
    await checkServiceProvider(fields(saml), known, [...at, 'saml'], complain);
  }
}

function checkAttributes(
  provisioning: unknown,
  { attributes }: Known,
  { orgCode, path, complain }: OrganisationContext,
): void {
  const { sendAttributes } = fields(provisioning);
  for (const [at, attribute] of Array.isArray(sendAttributes) ? sendAttributes.entries() : []) {
    if (!attributes.has(attribute)) complain([...path, at], `No schema of ${orgCode} has an attribute ${attribute}.`);
  }
}

/** Checks that the roles, groups and members of an application or claim exist in the organisation. */
function checkUsers(
  { roles, people, groups }: Record<string, unknown>,
  known: Known,
  context: OrganisationContext,
): void {
  const { orgCode, path, complain, didYouMean } = context;
  for (const [nth, code] of Array.isArray(roles) ? roles.entries() : []) {
    if (typeof code === 'string' && !context.roles.includes(code))
      complain([...path, 'roles', nth], `There is no role ${code} in ${orgCode}.${didYouMean(code, context.roles)}`);
  }
  for (const [nth, named] of Array.isArray(people) ? people.entries() : []) {
    checkMemberExists(named, known.names, [...path, 'people', nth], context);
  }
  for (const [nth, name] of Array.isArray(groups) ? groups.entries() : []) {
    if (typeof name === 'string' && !known.groups.includes(nameKey(name)))
      complain([...path, 'groups', nth], `There is no group ${name} in ${orgCode}.${didYouMean(name, known.groups)}`);
  }
}

/** World fields by their names in the API, which the shared check uses. */
const SAML_FIELDS: Readonly<Record<string, string>> = {
  samlNameId: 'nameId',
  samlNameIdTransformationTemplate: 'nameIdTransformationTemplate',
  samlAttributes: 'attributes',
  samlAttributesConfig: 'attributesConfig',
};

/** Checks the member fields that a SAML application receives, as the editor does. */
function checkSamlFields(
  saml: Record<string, unknown>,
  { primaryAttrField }: Known,
  path: Path,
  complain: ReportIssue,
): void {
  const attributes = saml.attributes ?? ['primaryEmail'];
  const given = {
    nameId: trimText(saml.nameId) ?? 'primaryEmail',
    nameIdTransformationTemplate: trimText(saml.nameIdTransformationTemplate) ?? '',
    attributes: Array.isArray(attributes) ? attributes.map((name) => trimText(name) ?? '') : [],
    attributesConfig: indexedFields(saml.attributesConfig).map(([, { name, transform }]) => ({
      name: trimText(name) ?? '',
      transform: trimText(transform),
    })),
  };
  for (const { path: field, message } of samlFieldIssues(given, primaryAttrField)) {
    const [name = '', ...rest] = field.split('.');
    complain(
      [...path, SAML_FIELDS[name] ?? name, ...rest.map((part) => (/^\d+$/.test(part) ? Number(part) : part))],
      message,
    );
  }
}

function checkAddresses(oidc: Record<string, unknown>, { needsHttps }: Known, path: Path, complain: ReportIssue): void {
  for (const list of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    const addresses = oidc[list];
    for (const [nth, address] of Array.isArray(addresses) ? addresses.entries() : []) {
      if (typeof address === 'string' && needsHttps(address)) complain([...path, list, nth], HTTPS_REQUIRED_MESSAGE);
    }
  }
  const page = trimText(oidc.frontchannelLogoutUri);
  if (page !== undefined && needsHttps(page)) complain([...path, 'frontchannelLogoutUri'], HTTPS_REQUIRED_MESSAGE);
}

function checkTokenSettings(oidc: Record<string, unknown>, path: Path, complain: ReportIssue): void {
  // A client without secrets and keys is public, if it doesn't say otherwise.
  const isPublic = Array.isArray(oidc.secrets) && oidc.secrets.length === 0 && !oidc.jwks && !oidc.jwksUri;
  const kind = clientKind.safeParse(oidc.kind ?? (isPublic ? 'single-page' : 'web'));
  if (!kind.success) return;
  for (const setting of ['rotateRefreshTokens', 'tokenExchange'] as const) {
    const value = oidc[setting];
    const message = typeof value === 'boolean' ? tokenSettingProblem(kind.data, setting, value) : undefined;
    if (message !== undefined) complain([...path, setting], `${message}.`);
  }
}

async function checkServiceProvider(
  saml: Record<string, unknown>,
  { needsHttps }: Known,
  path: Path,
  complain: ReportIssue,
): Promise<void> {
  const metadata = trimText(saml.metadata);
  if (metadata === undefined) return;
  let field = 'metadata';
  try {
    const open = (await readProvider(metadata, 0)).locations.find(needsHttps);
    if (open !== undefined) complain([...path, field], `${open}: ${HTTPS_REQUIRED_MESSAGE}`);
    field = 'encryptAssertions';
    // Without an encryption key, assertions would silently be sent unencrypted.
    if (saml.encryptAssertions === true) await requireEncryptionKey(metadata);
  } catch (reason) {
    if (!(reason instanceof Refusal)) throw reason;
    complain([...path, field], reason.issues?.[0]?.message ?? reason.message);
  }
}
