import { createECDH, createPublicKey } from 'node:crypto';
import { foldCase } from '@orchestrate/db';
import { isReachable, UNREACHABLE_ADDRESS_MESSAGE } from '../magic/find-magic.ts';
import {
  fields,
  indexedFields,
  type Path,
  type ReportIssue,
  type SuggestName,
  trimText,
  type UniquenessCheck,
} from './raw.ts';

/** An organisation's path in a world, its role codes, and functions that check and report errors. */
export interface OrganisationContext {
  orgCode: string;
  path: Path;
  roles: readonly string[];
  complain: ReportIssue;
  unique: UniquenessCheck;
  didYouMean: SuggestName;
}

interface Known {
  path: Path;
  id: string | undefined;
  email: string | undefined;
  isDeleted: boolean;
  manager: string | undefined;
}

/** Checks an organisation's members for errors that the schema can't catch: duplicates and invalid references. */
export function checkPeople(people: unknown, context: OrganisationContext): void {
  const { orgCode, roles, complain, unique, didYouMean } = context;
  const names = memberIdentifiersOf(people);
  const isKnown = new Set(names);
  const known = indexedFields(people).map(([at, person]): Known => {
    const path = [...context.path, at];
    const email = trimText(person.email)?.toLowerCase();
    const userName = trimText(person.userName);
    if (email !== undefined && !isReachable(email)) complain([...path, 'email'], `${UNREACHABLE_ADDRESS_MESSAGE}.`);
    if (person.status !== 'deleted') {
      unique('The address', email, [...path, 'email'], orgCode);
      unique('The primary attribute', trimText(person.primaryAttr), [...path, 'primaryAttr'], orgCode);
      unique('The user name', userName === undefined ? undefined : foldCase(userName), [...path, 'userName'], orgCode);
    }
    unique('The id', trimText(person.id), [...path, 'id'], 'person');
    const role = trimText(person.role);
    if (role !== undefined && !roles.includes(role)) {
      complain([...path, 'role'], `There is no role ${role} in ${orgCode}.${didYouMean(role, roles)}`);
    }
    if (person.statusBeforePause !== undefined && person.status !== 'inactive') {
      complain([...path, 'statusBeforePause'], 'Only inactive members can have this field.');
    }
    checkDevices(person.devices, { ...context, path: [...path, 'devices'] });
    checkCodes(person.activationCodes, { ...context, path: [...path, 'activationCodes'] });
    for (const [nth, { id, invitedBy }] of indexedFields(person.invitations)) {
      const invitation = [...path, 'invitations', nth];
      unique('The id', trimText(id), [...invitation, 'id'], 'invitation');
      if (!isKnown.has(trimText(invitedBy) ?? ''))
        checkMemberExists(invitedBy, names, [...invitation, 'invitedBy'], context);
    }
    for (const [nth, { id }] of indexedFields(person.logins))
      unique('The id', trimText(id), [...path, 'logins', nth, 'id'], 'login');
    for (const [nth, { id, issuer, subject }] of indexedFields(person.identities)) {
      const at = [...path, 'identities', nth];
      unique('The id', trimText(id), [...at, 'id'], 'identity');
      unique('The account', trimText(subject), [...at, 'subject'], `${orgCode} ${trimText(issuer)}`);
    }
    const isDeleted = person.status === 'deleted';
    return { path, id: trimText(person.id), email, isDeleted, manager: trimText(person.manager) };
  });
  checkDrawnIds(people, context);
  checkManagers(people, known, context);
}

/**
 * Checks that generated IDs are unique. IDs are derived from email addresses, so a deleted member's ID collides if
 * another member now has the address.
 */
function checkDrawnIds(people: unknown, { orgCode, path, complain }: OrganisationContext): void {
  const without = indexedFields(people).filter(([, { id }]) => trimText(id) === undefined);
  const emailOf = (person: Record<string, unknown>) => trimText(person.email)?.toLowerCase();
  const seen = new Set(without.map(([, person]) => (person.status === 'deleted' ? undefined : emailOf(person))));
  for (const [at, person] of without) {
    const email = emailOf(person);
    if (person.status !== 'deleted' || email === undefined) continue;
    if (seen.has(email))
      complain([...path, at, 'id'], `Another member of ${orgCode} also has ${email}. Set an id for this member.`);
    seen.add(email);
  }
}

/** Returns the email addresses and IDs of an organisation's members. */
export const memberIdentifiersOf = (people: unknown): string[] =>
  indexedFields(people).flatMap(([, { email, id }]) =>
    [trimText(email)?.toLowerCase() ?? [], trimText(id) ?? []].flat(),
  );

/** Checks that an organisation has a member with this email address or ID. */
export function checkMemberExists(
  named: unknown,
  names: readonly string[],
  path: Path,
  { orgCode, complain, didYouMean }: OrganisationContext,
): void {
  const name = trimText(named);
  if (name === undefined || names.includes(name) || names.includes(name.toLowerCase())) return;
  complain(path, `There is no member ${name} in ${orgCode}.${didYouMean(name, names)}`);
}

function checkManagers(people: unknown, known: readonly Known[], context: OrganisationContext): void {
  const names = memberIdentifiersOf(people);
  const isKnown = new Set(names);
  for (const { path, id, email, isDeleted, manager } of known) {
    if (manager === undefined) continue;
    // A deleted member's email address may since have been reassigned, so an equal address doesn't mean the same
    // person.
    const isOwn = manager === id || (manager.toLowerCase() === email && !isDeleted);
    if (isOwn) context.complain([...path, 'manager'], `${email ?? id} cannot be their own manager.`);
    else if (!isKnown.has(manager) && !isKnown.has(manager.toLowerCase()))
      checkMemberExists(manager, names, [...path, 'manager'], context);
  }
}

/** Device types that have a signing key. An undefined type means the default. */
const SIGNING: readonly unknown[] = ['mobile', 'desktop', undefined];

function checkDevices(devices: unknown, { orgCode, path, complain, unique }: OrganisationContext): void {
  for (const [nth, device] of indexedFields(devices)) {
    const at = [...path, nth];
    unique('The id', trimText(device.id), [...at, 'id'], 'device');
    if (device.passkey !== undefined && SIGNING.includes(device.type)) {
      complain([...at, 'passkey'], 'Only devices of type webauthn have a passkey.');
    }
    unique('The passkey', trimText(fields(device.passkey).credentialId), [...at, 'passkey', 'credentialId']);
    const key = fields(device.key);
    const [x, y, d] = [trimText(key.x), trimText(key.y), trimText(key.d)];
    if (x === undefined || y === undefined) continue;
    if (device.type === 'webauthn')
      complain([...at, 'key'], 'Devices of type webauthn have a passkey instead of a key.');
    else if (!isKey(x, y, d)) complain([...at, 'key'], d === undefined ? NO_POINT : NO_PAIR);
    if (device.status === undefined || device.status === 'active' || device.status === 'paused') {
      unique('The key', x, [...at, 'key'], orgCode);
    }
  }
}

const NO_POINT = 'This is not a valid key: x and y are not a point on P-256.';
const NO_PAIR = "This is not a key pair: x and y don't match d.";

function isKey(x: string, y: string, d: string | undefined): boolean {
  try {
    if (d === undefined)
      return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }) !== undefined;
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(d, 'base64url');
    // Uncompressed point format: 0x04, x, y.
    const point = pair.getPublicKey();
    return point.toString('base64url', 1, 33) === x && point.toString('base64url', 33, 65) === y;
  } catch {
    return false;
  }
}

function checkCodes(codes: unknown, { path, complain }: OrganisationContext): void {
  const types = new Set<unknown>();
  for (const [nth, { type = 'mobile', issuedAt, expiresAt }] of indexedFields(codes)) {
    if (types.has(type))
      complain([...path, nth, 'type'], `There is already a code for ${String(type)}. Each app can have only one.`);
    types.add(type);
    const [from, to] = [Date.parse(String(issuedAt)), Date.parse(String(expiresAt))];
    if (to <= from) complain([...path, nth, 'expiresAt'], 'The code must expire after it was issued.');
  }
}
