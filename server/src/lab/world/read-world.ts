import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Seed } from '@orchestrate/db';
import type { World } from '@orchestrate/shared';
import {
  type FullWorld,
  isMaskedAddress,
  LIMITS,
  MAILS,
  nameKey,
  SECOND,
  SYSTEM_ROLE_CODES,
  SYSTEM_ROLES,
  world,
} from '@orchestrate/shared';
import ipaddr from 'ipaddr.js';
import { mailTextObject } from '#core/audit/audit-objects.ts';
import { requiresHttps } from '#core/requires-https.ts';
import type { Deps } from '#deps.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { readShape } from '#platform/http/requests/read-shape.ts';
import { mailTextIssues } from '#platform/mails/mail-text.ts';
import { COMMON_VARIABLES, MAIL_KINDS, requiredSecretOf } from '#platform/mails/templates.ts';
import { Refusal } from '#platform/refusal.ts';
import { checkApplications } from './check-applications.ts';
import { checkMemberExists, checkPeople, memberIdentifiersOf, type OrganisationContext } from './check-people.ts';
import {
  createSuggestName,
  createUniquenessCheck,
  fields,
  indexedFields,
  type Path,
  type ReportIssue,
  type SuggestName,
  trimText,
  type UniquenessCheck,
  type WorldIssue,
} from './raw.ts';

const KEY_TYPES: Readonly<Record<string, string>> = { RS256: 'rsa', ES256: 'ec' };

/**
 * Checks an organisation's signing keys: each key must have the right type, and each certificate must match its key.
 */
function checkKeys(keys: unknown, path: Path, complain: ReportIssue, unique: UniquenessCheck): void {
  const { oidc, saml } = fields(keys);
  for (const [nth, { id, alg, privateJwk }] of indexedFields(oidc)) {
    const at = [...path, 'oidc', nth];
    unique('The id', trimText(id), [...at, 'id'], 'OIDC key');
    const type = keyTypeOf(() => createPrivateKey({ key: fields(privateJwk), format: 'jwk' }).asymmetricKeyType);
    const wanted = KEY_TYPES[String(alg)];
    if (wanted !== undefined && type !== wanted)
      complain([...at, 'privateJwk'], `This is not a private key for ${String(alg)}.`);
  }
  for (const [nth, { id, privateKey, certificate, expiresAt }] of indexedFields(saml)) {
    const at = [...path, 'saml', nth];
    unique('The id', trimText(id), [...at, 'id'], 'SAML key');
    const [key, text] = [trimText(privateKey), trimText(certificate)];
    if (key === undefined || text === undefined) continue;
    const made = readKey(key);
    const issued = readCertificate(text);
    if (!made) complain([...at, 'privateKey'], 'This is not an RSA private key in PEM.');
    if (!issued) complain([...at, 'certificate'], 'This is not a certificate in PEM.');
    if (made && issued && !issued.checkPrivateKey(made))
      complain([...at, 'certificate'], "The certificate doesn't match the key.");
    if (issued) checkExpiry(issued, expiresAt, [...at, 'expiresAt'], complain);
  }
}

/** Checks that a time is the certificate's expiry, because another time would have no effect. */
function checkExpiry({ validTo }: X509Certificate, given: unknown, path: Path, complain: ReportIssue): void {
  // Certificates have whole seconds.
  if (given === undefined || Math.abs(Date.parse(String(given)) - Date.parse(validTo)) < SECOND) return;
  complain(path, `The certificate expires at ${new Date(validTo).toISOString()}.`);
}

function keyTypeOf(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function readKey(pem: string) {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Returns a name's key for case-insensitive comparison. */
const keyOf = (name: unknown): string | undefined => {
  const text = trimText(name);
  return text === undefined ? undefined : nameKey(text);
};

/** Repeats the schema's default, which is applied only after these checks. */
const DEFAULT_PRIMARY_ATTRIBUTE = 'employeeId';

/** Context for checking an entire world. */
interface Checking {
  /** True if only this machine can reach the portal. */
  isLocal: boolean;
  complain: ReportIssue;
  unique: UniquenessCheck;
  didYouMean: SuggestName;
  /** Returns true if the URL must use HTTPS on this portal. */
  needsHttps: (address: string) => boolean;
}

/** Checks one organisation for errors that the schema can't catch. @param at index in the organisation list */
async function checkOrganisation(
  raw: unknown,
  at: number,
  { isLocal, complain, unique, didYouMean, needsHttps }: Checking,
): Promise<void> {
  const org = fields(raw);
  const path = ['organisations', at];
  const orgCode = trimText(org.code)?.toLowerCase() ?? '';
  if (orgCode !== '') unique('The organisation code', orgCode, [...path, 'code']);
  const roles = checkRoles(org.roles, [...path, 'roles'], orgCode, complain, unique);
  const context: OrganisationContext = { orgCode, path: [...path, 'people'], roles, complain, unique, didYouMean };
  checkPeople(org.people, context);
  const names = memberIdentifiersOf(org.people);
  const groups = checkGroups(org, names, { ...context, path: [...path, 'groups'] });
  checkMemberExists(fields(org.provider).configuredBy, names, [...path, 'provider', 'configuredBy'], context);
  checkMemberExists(fields(org.provisioning).madeBy, names, [...path, 'provisioning', 'madeBy'], context);
  for (const [nth, { id, madeBy }] of indexedFields(org.registrationTokens)) {
    unique('The id', trimText(id), [...path, 'registrationTokens', nth, 'id'], 'registration token');
    checkMemberExists(madeBy, names, [...path, 'registrationTokens', nth, 'madeBy'], context);
  }
  for (const [nth, { id, madeBy }] of indexedFields(org.scimTokens)) {
    unique('The id', trimText(id), [...path, 'scimTokens', nth, 'id'], 'SCIM token');
    checkMemberExists(madeBy, names, [...path, 'scimTokens', nth, 'madeBy'], context);
  }
  checkSchemas(org.scimSchemas, [...path, 'scimSchemas'], complain, unique);
  const { allowedIps } = fields(org.security);
  for (const [nth, range] of Array.isArray(allowedIps) ? allowedIps.entries() : []) {
    if (typeof range === 'string' && !ipaddr.isValid(range) && !ipaddr.isValidCIDR(range)) {
      complain(
        [...path, 'security', 'allowedIps', nth],
        `${range} is not a valid address or a range such as 10.0.0.0/8.`,
      );
    }
  }
  for (const [nth, { id, identifier }] of indexedFields(org.apiResources)) {
    unique('The id', trimText(id), [...path, 'apiResources', nth, 'id'], 'API resource');
    unique(
      'The identifier',
      trimText(identifier),
      [...path, 'apiResources', nth, 'identifier'],
      `API of ${trimText(org.code)}`,
    );
  }
  for (const [nth, mail] of indexedFields(org.mails)) {
    const at = [...path, 'mails', nth];
    const name = trimText(mail.name);
    const key = name && mailTextObject({ name, language: trimText(mail.language) }).id;
    unique('The email', key, [...at, 'name'], orgCode);
    checkMail(mail, at, complain);
  }
  for (const [nth, { id, url }] of indexedFields(org.webhooks)) {
    unique('The id', trimText(id), [...path, 'webhooks', nth, 'id'], 'webhook');
    if (isMaskedAddress(trimText(url) ?? ''))
      complain([...path, 'webhooks', nth, 'url'], 'This URL is masked. Enter the full URL.');
  }
  checkFaq(org.faq, [...path, 'faq'], orgCode, unique);
  checkKeys(org.keys, [...path, 'keys'], complain, unique);
  const portalName = nameKey(`${trimText(org.name) ?? orgCode} Portal`);
  const known = {
    isLocal,
    portalName,
    names,
    groups,
    primaryAttrField: trimText(org.primaryAttrField) ?? DEFAULT_PRIMARY_ATTRIBUTE,
    attributes: registeredIn(org.scimSchemas),
    needsHttps,
  };
  await checkApplications(org.applications, known, { ...context, path: [...path, 'applications'] });
}

/** Returns the schemas' attributes, each prefixed with its schema URN. */
const registeredIn = (schemas: unknown): ReadonlySet<unknown> =>
  new Set(
    indexedFields(schemas).flatMap(([, { urn, attributes }]) =>
      indexedFields(attributes).map(([, { name }]) => `${trimText(urn)}:${trimText(name)}`),
    ),
  );

/** Checks that no SCIM schema URN equals or is a prefix of another schema's URN. */
function checkSchemas(schemas: unknown, path: Path, complain: ReportIssue, unique: UniquenessCheck): void {
  const urns = indexedFields(schemas).map(([, { urn }]) => trimText(urn)?.toLowerCase() ?? '');
  for (const [nth, { id }] of indexedFields(schemas)) {
    unique('The id', trimText(id), [...path, nth, 'id'], 'SCIM schema');
    const known = urns[nth] ?? '';
    const other = urns.findIndex(
      (urn, at) => at < nth && (`${known}:`.startsWith(`${urn}:`) || urn.startsWith(`${known}:`)),
    );
    if (known !== '' && other >= 0)
      complain(
        [...path, nth, 'urn'],
        `This URN overlaps with the URN of schema ${other}: they are equal, or one starts with the other.`,
      );
  }
}

/**
 * Checks that group names are unique and don't match any role, and that all group members exist.
 * @returns group names in lower case
 */
function checkGroups(
  { groups, roles }: Record<string, unknown>,
  names: ReturnType<typeof memberIdentifiersOf>,
  context: OrganisationContext,
): string[] {
  const { orgCode, path, complain, unique } = context;
  const ofRoles = new Set(
    [
      ...context.roles,
      ...SYSTEM_ROLES.map(({ name }) => name),
      ...indexedFields(roles).map(([, { name }]) => trimText(name) ?? ''),
    ].map(nameKey),
  );
  return indexedFields(groups).flatMap(([nth, { id, name, members }]) => {
    unique('The id', trimText(id), [...path, nth, 'id'], `group of ${orgCode}`);
    const known = keyOf(name);
    unique('The group', known, [...path, nth, 'name'], orgCode);
    if (known !== undefined && ofRoles.has(known)) {
      complain(
        [...path, nth, 'name'],
        `${orgCode} already has a role with this name or code. Choose another name for the group.`,
      );
    }
    if (context.roles.includes(trimText(id) ?? '')) {
      complain([...path, nth, 'id'], `${orgCode} already has a role with this code. Choose another ID for the group.`);
    }
    for (const [at, named] of Array.isArray(members) ? members.entries() : []) {
      checkMemberExists(named, names, [...path, nth, 'members', at], context);
    }
    return known ?? [];
  });
}

/**
 * Checks the organisation's built-in and custom roles.
 * @returns codes of all the organisation's roles
 */
function checkRoles(
  roles: unknown,
  path: Path,
  orgCode: string,
  complain: ReportIssue,
  unique: UniquenessCheck,
): string[] {
  const known: string[] = [...SYSTEM_ROLE_CODES];
  for (const [nth, { code, name, permissions }] of indexedFields(roles)) {
    const roleCode = trimText(code);
    unique('The role', roleCode, [...path, nth, 'code'], orgCode);
    if (roleCode === undefined) continue;
    const isSystem = SYSTEM_ROLE_CODES.some((system) => system === roleCode);
    if (!isSystem) known.push(roleCode);
    else if (name !== undefined || permissions !== undefined) {
      complain([...path, nth, 'code'], `${roleCode} is a built-in role. Its name and permissions cannot be changed.`);
    }
  }
  const own = known.length - SYSTEM_ROLE_CODES.length;
  if (own > LIMITS.customRoles)
    complain(path, `An organisation can have at most ${LIMITS.customRoles} custom roles, not ${own}.`);
  return known;
}

/** Checks the variables used in an email's subject and body. The schema reports missing or invalid fields. */
function checkMail(mail: Record<string, unknown>, path: Path, complain: ReportIssue): void {
  const name = MAILS.find((known) => known === mail.name);
  const words = { subject: trimText(mail.subject), body: trimText(mail.body) };
  if (!name || words.subject === undefined || words.body === undefined) return;
  const variables = Object.keys({ ...COMMON_VARIABLES, ...MAIL_KINDS[name].variables });
  for (const { path: field, message } of mailTextIssues(
    { subject: words.subject, body: words.body },
    { variables, secret: requiredSecretOf(name) },
  )) {
    complain([...path, field], message);
  }
}

function checkFaq(faq: unknown, path: Path, orgCode: string, unique: UniquenessCheck): void {
  for (const [nth, category] of indexedFields(faq)) {
    const at = [...path, nth];
    unique('The category', keyOf(category.name), [...at, 'name'], orgCode);
    unique('The id', trimText(category.id), [...at, 'id'], 'category');
    for (const [below, subcategory] of indexedFields(category.subcategories)) {
      const inside = [...at, 'subcategories', below];
      unique('The subcategory', keyOf(subcategory.name), [...inside, 'name'], `${orgCode} ${nth}`);
      unique('The id', trimText(subcategory.id), [...inside, 'id'], 'subcategory');
      for (const [index, { id }] of indexedFields(subcategory.records)) {
        unique('The id', trimText(id), [...inside, 'records', index, 'id'], 'record');
      }
    }
  }
}

/** Thrown if a world is invalid. Lists every error found. */
export class WorldInvalid extends Error {
  readonly issues: readonly WorldIssue[];
  /** Sentence that states the number of errors. */
  readonly summary: string;

  constructor(issues: readonly WorldIssue[]) {
    const summary = `This world has ${formatErrorCount(issues)}. Nothing was imported.`;
    super([summary, ...issues.map(({ path, message }) => `  ${[...path].join('.')}: ${message}`)].join('\n'));
    this.issues = issues;
    this.summary = summary;
  }
}

/** Configuration that determines which URLs must use HTTPS. */
type Reached = Parameters<typeof requiresHttps>[0];

export const formatErrorCount = ({ length }: readonly unknown[]): string =>
  length === 1 ? 'one error' : `${length} errors`;

/**
 * Parses a world and fills in defaults.
 * @param config configuration of the portal that will use the world
 * @throws WorldInvalid with every error
 */
export async function readWorld(raw: unknown, config: Reached): Promise<FullWorld> {
  const issues: WorldIssue[] = [];
  const complain = (path: WorldIssue['path'], message: string) => issues.push({ path, message });
  const read = readShape(world, raw);
  if ('issues' in read) issues.push(...read.issues);
  const needsHttps = (address: string) => requiresHttps(config, address);
  const isLocal = isLocalPortal(config);
  const checking = {
    isLocal,
    complain,
    unique: createUniquenessCheck(complain),
    didYouMean: createSuggestName(),
    needsHttps,
  };
  const { organisations } = fields(raw);
  for (const [at, organisation] of Array.isArray(organisations) ? organisations.entries() : []) {
    await checkOrganisation(organisation, at, checking);
  }
  if ('issues' in read || issues.length > 0) throw new WorldInvalid(withoutRepeats(issues));
  return read.data;
}

/** Removes duplicate errors. */
function withoutRepeats(issues: readonly WorldIssue[]): WorldIssue[] {
  const unique = new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue]));
  return [...unique.values()];
}

/** Parses a world from a request. @throws Refusal INVALID_REQUEST with every error, its path prefixed with `at` */
export async function readWorldFromRequest(raw: unknown, config: Reached, at: string): Promise<FullWorld> {
  try {
    return await readWorld(raw, config);
  } catch (reason) {
    if (!(reason instanceof WorldInvalid)) throw reason;
    const issues = reason.issues.map(({ path, message }) => ({ path: [at, ...path].join('.'), message }));
    throw new Refusal('INVALID_REQUEST', { message: reason.summary, issues });
  }
}

/**
 * Returns the named seed, or the parsed world if the request contains one.
 * @throws Refusal INVALID_REQUEST with every error in a world
 */
export async function readSeed({ config }: Pick<Deps, 'config'>, given: 'demo' | 'none' | World): Promise<Seed> {
  return typeof given === 'string' ? given : readWorldFromRequest(given, config, 'seed');
}

/** Returns a seed's name for the audit trail, which is `world` for any custom world. */
export const seedName = (seed: Seed): string => (typeof seed === 'string' ? seed : 'world');

/** Returns the time at which a seed freezes the clock, or undefined if the clock runs. */
export const frozenTimeOf = (seed: Seed): string | undefined => (typeof seed === 'string' ? undefined : seed.now);
