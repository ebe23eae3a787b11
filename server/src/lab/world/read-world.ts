import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Seed } from '@orchestrate/db';
import type { World } from '@orchestrate/shared';
import {
  type FullWorld,
  isMaskedAddress,
  LIMITS,
  MAILS,
  nameKey,
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
import { COMMON_VARIABLES, MAIL_KINDS, secretOf } from '#platform/mails/templates.ts';
import { Refusal } from '#platform/refusal.ts';
import { checkApplications } from './check-applications.ts';
import { checkName, checkPeople, namesOf, type Place } from './check-people.ts';
import {
  type Complain,
  createDidYouMean,
  createUnique,
  type DidYouMean,
  entries,
  fields,
  type Path,
  textOf,
  type Unique,
  type WorldIssue,
} from './raw.ts';

const KEY_TYPES: Readonly<Record<string, string>> = { RS256: 'rsa', ES256: 'ec' };

/** Checks an organisation's signing keys: their types, and that a certificate belongs to its key. */
function checkKeys(keys: unknown, path: Path, complain: Complain, unique: Unique): void {
  const { oidc, saml } = fields(keys);
  for (const [nth, { id, alg, privateJwk }] of entries(oidc)) {
    const at = [...path, 'oidc', nth];
    unique('The id', textOf(id), [...at, 'id'], 'OIDC key');
    const type = keyTypeOf(() => createPrivateKey({ key: fields(privateJwk), format: 'jwk' }).asymmetricKeyType);
    const wanted = KEY_TYPES[String(alg)];
    if (wanted !== undefined && type !== wanted)
      complain([...at, 'privateJwk'], `This is not a private key for ${String(alg)}.`);
  }
  for (const [nth, { id, privateKey, certificate }] of entries(saml)) {
    const at = [...path, 'saml', nth];
    unique('The id', textOf(id), [...at, 'id'], 'SAML key');
    const [key, text] = [textOf(privateKey), textOf(certificate)];
    if (key === undefined || text === undefined) continue;
    const made = readKey(key);
    const issued = readCertificate(text);
    if (!made) complain([...at, 'privateKey'], 'This is not an RSA private key in PEM.');
    if (!issued) complain([...at, 'certificate'], 'This is not a certificate in PEM.');
    if (made && issued && !issued.checkPrivateKey(made))
      complain([...at, 'certificate'], "The certificate doesn't match the key.");
  }
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

/** Returns the comparison key of an optional name. */
const keyOf = (name: unknown): string | undefined => {
  const text = textOf(name);
  return text === undefined ? undefined : nameKey(text);
};

/** Context for checking a whole world. */
interface Checking {
  /** True if only this machine can reach the portal. */
  isLocal: boolean;
  complain: Complain;
  unique: Unique;
  didYouMean: DidYouMean;
  /** Returns true if a URL must use https on this portal. */
  needsHttps: (address: string) => boolean;
}

/** Checks one organisation beyond the schema. @param at its index in the list */
async function checkOrganisation(
  raw: unknown,
  at: number,
  { isLocal, complain, unique, didYouMean, needsHttps }: Checking,
): Promise<void> {
  const org = fields(raw);
  const path = ['organisations', at];
  const orgCode = textOf(org.code)?.toLowerCase() ?? '';
  if (orgCode !== '') unique('The organisation code', orgCode, [...path, 'code']);
  const roles = checkRoles(org.roles, [...path, 'roles'], orgCode, complain, unique);
  const place: Place = { orgCode, path: [...path, 'people'], roles, complain, unique, didYouMean };
  checkPeople(org.people, place);
  const names = namesOf(org.people);
  const groups = checkGroups(org, names, { ...place, path: [...path, 'groups'] });
  checkName(fields(org.provider).configuredBy, names, [...path, 'provider', 'configuredBy'], place);
  checkName(fields(org.provisioning).madeBy, names, [...path, 'provisioning', 'madeBy'], place);
  for (const [nth, { id, madeBy }] of entries(org.registrationTokens)) {
    unique('The id', textOf(id), [...path, 'registrationTokens', nth, 'id'], 'registration token');
    checkName(madeBy, names, [...path, 'registrationTokens', nth, 'madeBy'], place);
  }
  for (const [nth, { id, madeBy }] of entries(org.scimTokens)) {
    unique('The id', textOf(id), [...path, 'scimTokens', nth, 'id'], 'SCIM token');
    checkName(madeBy, names, [...path, 'scimTokens', nth, 'madeBy'], place);
  }
  checkSchemas(org.scimSchemas, [...path, 'scimSchemas'], complain, unique);
  const { allowedIps } = fields(org.security);
  for (const [nth, range] of Array.isArray(allowedIps) ? allowedIps.entries() : []) {
    if (typeof range === 'string' && !ipaddr.isValid(range) && !ipaddr.isValidCIDR(range)) {
      complain([...path, 'security', 'allowedIps', nth], `${range} is neither an address nor a range like 10.0.0.0/8.`);
    }
  }
  for (const [nth, { id, identifier }] of entries(org.apiResources)) {
    unique('The id', textOf(id), [...path, 'apiResources', nth, 'id'], 'API resource');
    unique(
      'The identifier',
      textOf(identifier),
      [...path, 'apiResources', nth, 'identifier'],
      `API of ${textOf(org.code)}`,
    );
  }
  for (const [nth, mail] of entries(org.mails)) {
    const at = [...path, 'mails', nth];
    const name = textOf(mail.name);
    const key = name && mailTextObject({ name, language: textOf(mail.language) }).id;
    unique('The mail', key, [...at, 'name'], orgCode);
    checkMail(mail, at, complain);
  }
  for (const [nth, { id, url }] of entries(org.webhooks)) {
    unique('The id', textOf(id), [...path, 'webhooks', nth, 'id'], 'webhook');
    if (isMaskedAddress(textOf(url) ?? ''))
      complain([...path, 'webhooks', nth, 'url'], 'This address is masked. Enter the full one.');
  }
  checkFaq(org.faq, [...path, 'faq'], orgCode, unique);
  checkKeys(org.keys, [...path, 'keys'], complain, unique);
  const portalName = nameKey(`${textOf(org.name) ?? orgCode} Portal`);
  const known = { isLocal, portalName, names, groups, attributes: registeredIn(org.scimSchemas), needsHttps };
  await checkApplications(org.applications, known, { ...place, path: [...path, 'applications'] });
}

/** Returns the attributes of the schemas, each after its URN. */
const registeredIn = (schemas: unknown): ReadonlySet<unknown> =>
  new Set(
    entries(schemas).flatMap(([, { urn, attributes }]) =>
      entries(attributes).map(([, { name }]) => `${textOf(urn)}:${textOf(name)}`),
    ),
  );

/** Checks that no URN of a SCIM schema is equal to or a prefix of another. */
function checkSchemas(schemas: unknown, path: Path, complain: Complain, unique: Unique): void {
  const urns = entries(schemas).map(([, { urn }]) => textOf(urn)?.toLowerCase() ?? '');
  for (const [nth, { id }] of entries(schemas)) {
    unique('The id', textOf(id), [...path, nth, 'id'], 'SCIM schema');
    const known = urns[nth] ?? '';
    const other = urns.findIndex(
      (urn, at) => at < nth && (`${known}:`.startsWith(`${urn}:`) || urn.startsWith(`${known}:`)),
    );
    if (known !== '' && other >= 0)
      complain([...path, nth, 'urn'], `It is equal to or starts with the URN of schema ${other}.`);
  }
}

/**
 * Checks that group names differ from each other and from roles, and that their members exist.
 * @returns the names in lower case
 */
function checkGroups(
  { groups, roles }: Record<string, unknown>,
  names: ReturnType<typeof namesOf>,
  place: Place,
): string[] {
  const { orgCode, path, complain, unique } = place;
  const ofRoles = new Set(
    [
      ...place.roles,
      ...SYSTEM_ROLES.map(({ name }) => name),
      ...entries(roles).map(([, { name }]) => textOf(name) ?? ''),
    ].map(nameKey),
  );
  return entries(groups).flatMap(([nth, { id, name, members }]) => {
    unique('The id', textOf(id), [...path, nth, 'id'], `group of ${orgCode}`);
    const known = keyOf(name);
    unique('The group', known, [...path, nth, 'name'], orgCode);
    if (known !== undefined && ofRoles.has(known)) {
      complain(
        [...path, nth, 'name'],
        `${orgCode} already has a role with this name or code. Choose another name for the group.`,
      );
    }
    if (place.roles.includes(textOf(id) ?? '')) {
      complain([...path, nth, 'id'], `${orgCode} already has a role with this code. Choose another ID for the group.`);
    }
    for (const [at, named] of Array.isArray(members) ? members.entries() : []) {
      checkName(named, names, [...path, nth, 'members', at], place);
    }
    return known ?? [];
  });
}

/** @returns the codes of all roles of the organisation */
function checkRoles(roles: unknown, path: Path, orgCode: string, complain: Complain, unique: Unique): string[] {
  const known: string[] = [...SYSTEM_ROLE_CODES];
  for (const [nth, { code, name, permissions }] of entries(roles)) {
    const roleCode = textOf(code);
    unique('The role', roleCode, [...path, nth, 'code'], orgCode);
    if (roleCode === undefined) continue;
    const isSystem = SYSTEM_ROLE_CODES.some((system) => system === roleCode);
    if (!isSystem) known.push(roleCode);
    else if (name !== undefined || permissions !== undefined) {
      complain([...path, nth, 'code'], `${roleCode} is a built-in role, whose name and permissions cannot be changed.`);
    }
  }
  const own = known.length - SYSTEM_ROLE_CODES.length;
  if (own > LIMITS.customRoles)
    complain(path, `An organisation can have at most ${LIMITS.customRoles} custom roles, not ${own}.`);
  return known;
}

/** Checks an email's references; the schema reports invalid ones. */
function checkMail(mail: Record<string, unknown>, path: Path, complain: Complain): void {
  const name = MAILS.find((known) => known === mail.name);
  const words = { subject: textOf(mail.subject), body: textOf(mail.body) };
  if (!name || words.subject === undefined || words.body === undefined) return;
  const variables = Object.keys({ ...COMMON_VARIABLES, ...MAIL_KINDS[name].variables });
  for (const { path: field, message } of mailTextIssues(
    { subject: words.subject, body: words.body },
    { variables, secret: secretOf(name) },
  )) {
    complain([...path, field], message);
  }
}

function checkFaq(faq: unknown, path: Path, orgCode: string, unique: Unique): void {
  for (const [nth, category] of entries(faq)) {
    const at = [...path, nth];
    unique('The category', keyOf(category.name), [...at, 'name'], orgCode);
    unique('The id', textOf(category.id), [...at, 'id'], 'category');
    for (const [below, subcategory] of entries(category.subcategories)) {
      const inside = [...at, 'subcategories', below];
      unique('The subcategory', keyOf(subcategory.name), [...inside, 'name'], `${orgCode} ${nth}`);
      unique('The id', textOf(subcategory.id), [...inside, 'id'], 'subcategory');
      for (const [place, { id }] of entries(subcategory.records)) {
        unique('The id', textOf(id), [...inside, 'records', place, 'id'], 'record');
      }
    }
  }
}

/** Every mistake in a world. */
export class WorldMistakes extends Error {
  readonly issues: readonly WorldIssue[];
  /** Number of mistakes, in a sentence. */
  readonly summary: string;

  constructor(issues: readonly WorldIssue[]) {
    const summary = `This world has ${countOf(issues)}; nothing was imported.`;
    super([summary, ...issues.map(({ path, message }) => `  ${[...path].join('.')}: ${message}`)].join('\n'));
    this.issues = issues;
    this.summary = summary;
  }
}

/** The configuration that says where a portal can be reached. */
type Reached = Parameters<typeof requiresHttps>[0];

export const countOf = ({ length }: readonly unknown[]): string =>
  length === 1 ? 'one mistake' : `${length} mistakes`;

/**
 * Parses a world and adds its defaults.
 * @param config of the portal that uses it.
 * @throws WorldMistakes with all of them
 */
export async function readWorld(raw: unknown, config: Reached): Promise<FullWorld> {
  const issues: WorldIssue[] = [];
  const complain = (path: WorldIssue['path'], message: string) => issues.push({ path, message });
  const read = readShape(world, raw);
  if ('issues' in read) issues.push(...read.issues);
  const needsHttps = (address: string) => requiresHttps(config, address);
  const isLocal = isLocalPortal(config);
  const checking = { isLocal, complain, unique: createUnique(complain), didYouMean: createDidYouMean(), needsHttps };
  const { organisations } = fields(raw);
  for (const [at, organisation] of Array.isArray(organisations) ? organisations.entries() : []) {
    await checkOrganisation(organisation, at, checking);
  }
  if ('issues' in read || issues.length > 0) throw new WorldMistakes(withoutRepeats(issues));
  return read.data;
}

/** Removes duplicate mistakes. */
function withoutRepeats(issues: readonly WorldIssue[]): WorldIssue[] {
  const said = new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue]));
  return [...said.values()];
}

/** Parses a world from a request. @throws Refusal INVALID_REQUEST with every mistake, its path below `at` */
export async function readSentWorld(raw: unknown, config: Reached, at: string): Promise<FullWorld> {
  try {
    return await readWorld(raw, config);
  } catch (reason) {
    if (!(reason instanceof WorldMistakes)) throw reason;
    const issues = reason.issues.map(({ path, message }) => ({ path: [at, ...path].join('.'), message }));
    throw new Refusal('INVALID_REQUEST', { message: reason.summary, issues });
  }
}

/** Returns the seed that a call names or sends. @throws Refusal INVALID_REQUEST with every mistake of a world */
export async function readSeed({ config }: Pick<Deps, 'config'>, given: 'demo' | 'none' | World): Promise<Seed> {
  return typeof given === 'string' ? given : readSentWorld(given, config, 'seed');
}

/** Returns a seed's name for the audit trail. */
export const seedName = (seed: Seed): string => (typeof seed === 'string' ? seed : 'world');

/** Returns the time at which a seed freezes the clock. */
export const startOf = (seed: Seed): string | undefined => (typeof seed === 'string' ? undefined : seed.now);
