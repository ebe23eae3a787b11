import { isMaskedAddress, LIMITS, MAILS, nameKey, SYSTEM_ROLE_CODES, SYSTEM_ROLES } from '@orchestrate/shared';
import ipaddr from 'ipaddr.js';
import { mailTextObject } from '../../core/audit/audit-objects.ts';
import { mailTextIssues } from '../../platform/mails/mail-text.ts';
import { COMMON_VARIABLES, MAIL_KINDS, secretOf } from '../../platform/mails/templates.ts';
import { checkApplications } from './check-applications.ts';
import { checkKeys } from './check-keys.ts';
import { checkName, checkPeople, namesOf, type Place } from './check-people.ts';
import { type Complain, type DidYouMean, entries, fields, type Path, textOf, type Unique } from './raw.ts';

/** The key of a name that may be missing. */
const keyOf = (name: unknown): string | undefined => {
  const text = textOf(name);
  return text === undefined ? undefined : nameKey(text);
};

/** What holds for a whole world. */
export interface Checking {
  /** Whether only this machine reaches the portal. */
  isLocal: boolean;
  complain: Complain;
  unique: Unique;
  didYouMean: DidYouMean;
  /** Whether an address must use https on this portal. */
  needsHttps: (address: string) => boolean;
}

/** What the schema cannot see of one organisation. @param at its place in the list */
export async function checkOrganisation(
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

/** The attributes of the schemas, each after its URN. */
const registeredIn = (schemas: unknown): ReadonlySet<unknown> =>
  new Set(
    entries(schemas).flatMap(([, { urn, attributes }]) =>
      entries(attributes).map(([, { name }]) => `${textOf(urn)}:${textOf(name)}`),
    ),
  );

/** Schemas of SCIM: no URN is or continues another one. */
function checkSchemas(schemas: unknown, path: Path, complain: Complain, unique: Unique): void {
  const urns = entries(schemas).map(([, { urn }]) => textOf(urn)?.toLowerCase() ?? '');
  for (const [nth, { id }] of entries(schemas)) {
    unique('The id', textOf(id), [...path, nth, 'id'], 'SCIM schema');
    const known = urns[nth] ?? '';
    const other = urns.findIndex(
      (urn, at) => at < nth && (`${known}:`.startsWith(`${urn}:`) || urn.startsWith(`${known}:`)),
    );
    if (known !== '' && other >= 0) complain([...path, nth, 'urn'], `It is, or continues, the URN of schema ${other}.`);
  }
}

/**
 * No group has the name of another group or of a role, and all have people of their organisation.
 * @returns their names in lower case
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
      complain(
        [...path, nth, 'code'],
        `${roleCode} is a role of the portal itself: its name and permissions are fixed.`,
      );
    }
  }
  const own = known.length - SYSTEM_ROLE_CODES.length;
  if (own > LIMITS.customRoles) complain(path, `At most ${LIMITS.customRoles} roles of its own: these are ${own}.`);
  return known;
}

/** Only of a mail that there is: the schema says what is wrong with another. */
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
