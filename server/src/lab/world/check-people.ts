import { createECDH, createPublicKey } from 'node:crypto';
import { foldCase } from '@orchestrate/db';
import { isReachable, UNREACHABLE } from '../magic/find-magic.ts';
import { type Complain, type DidYouMean, entries, fields, type Path, textOf, type Unique } from './raw.ts';

/** The path of an organisation's part in a world, and the reporter for its mistakes. */
export interface Place {
  orgCode: string;
  path: Path;
  roles: readonly string[];
  complain: Complain;
  unique: Unique;
  didYouMean: DidYouMean;
}

interface Known {
  path: Path;
  id: string | undefined;
  email: string | undefined;
  isDeleted: boolean;
  manager: string | undefined;
}

/** Checks an organisation's people beyond the schema: duplicates and references. */
export function checkPeople(people: unknown, place: Place): void {
  const { orgCode, roles, complain, unique, didYouMean } = place;
  const names = namesOf(people);
  const isKnown = new Set(names);
  const known = entries(people).map(([at, person]): Known => {
    const path = [...place.path, at];
    const email = textOf(person.email)?.toLowerCase();
    const userName = textOf(person.userName);
    if (email !== undefined && !isReachable(email)) complain([...path, 'email'], `${UNREACHABLE}.`);
    if (person.status !== 'deleted') {
      unique('The address', email, [...path, 'email'], orgCode);
      unique('The primary attribute', textOf(person.primaryAttr), [...path, 'primaryAttr'], orgCode);
      unique('The user name', userName === undefined ? undefined : foldCase(userName), [...path, 'userName'], orgCode);
    }
    unique('The id', textOf(person.id), [...path, 'id'], 'person');
    const role = textOf(person.role);
    if (role !== undefined && !roles.includes(role)) {
      complain([...path, 'role'], `${orgCode} has no role ${role}.${didYouMean(role, roles)}`);
    }
    if (person.statusBeforePause !== undefined && person.status !== 'inactive') {
      complain([...path, 'statusBeforePause'], 'Only inactive members can have one.');
    }
    checkDevices(person.devices, { ...place, path: [...path, 'devices'] });
    checkCodes(person.activationCodes, { ...place, path: [...path, 'activationCodes'] });
    for (const [nth, { id, invitedBy }] of entries(person.invitations)) {
      const invitation = [...path, 'invitations', nth];
      unique('The id', textOf(id), [...invitation, 'id'], 'invitation');
      if (!isKnown.has(textOf(invitedBy) ?? '')) checkName(invitedBy, names, [...invitation, 'invitedBy'], place);
    }
    for (const [nth, { id }] of entries(person.logins))
      unique('The id', textOf(id), [...path, 'logins', nth, 'id'], 'login');
    for (const [nth, { id, issuer, subject }] of entries(person.identities)) {
      const at = [...path, 'identities', nth];
      unique('The id', textOf(id), [...at, 'id'], 'identity');
      unique('The account', textOf(subject), [...at, 'subject'], `${orgCode} ${textOf(issuer)}`);
    }
    const isDeleted = person.status === 'deleted';
    return { path, id: textOf(person.id), email, isDeleted, manager: textOf(person.manager) };
  });
  checkDrawnIds(people, place);
  checkManagers(people, known, place);
}

/** Checks that generated ids are unique. They are derived from the email address, which a deleted person may share. */
function checkDrawnIds(people: unknown, { orgCode, path, complain }: Place): void {
  const without = entries(people).filter(([, { id }]) => textOf(id) === undefined);
  const emailOf = (person: Record<string, unknown>) => textOf(person.email)?.toLowerCase();
  const seen = new Set(without.map(([, person]) => (person.status === 'deleted' ? undefined : emailOf(person))));
  for (const [at, person] of without) {
    const email = emailOf(person);
    if (person.status !== 'deleted' || email === undefined) continue;
    if (seen.has(email))
      complain([...path, at, 'id'], `Another member of ${orgCode} also has ${email}: provide an id for this one.`);
    seen.add(email);
  }
}

/** Returns the email addresses and ids of an organisation's people. */
export const namesOf = (people: unknown): string[] =>
  entries(people).flatMap(([, { email, id }]) => [textOf(email)?.toLowerCase() ?? [], textOf(id) ?? []].flat());

/** Checks that an organisation has a person of this name. */
export function checkName(
  named: unknown,
  names: readonly string[],
  path: Path,
  { orgCode, complain, didYouMean }: Place,
): void {
  const name = textOf(named);
  if (name === undefined || names.includes(name) || names.includes(name.toLowerCase())) return;
  complain(path, `There is no member called ${name} in ${orgCode}.${didYouMean(name, names)}`);
}

function checkManagers(people: unknown, known: readonly Known[], place: Place): void {
  const names = namesOf(people);
  const isKnown = new Set(names);
  for (const { path, id, email, isDeleted, manager } of known) {
    if (manager === undefined) continue;
    // A deleted person's email address may belong to another person by now.
    const isOwn = manager === id || (manager.toLowerCase() === email && !isDeleted);
    if (isOwn) place.complain([...path, 'manager'], `${email ?? id} cannot be their own manager.`);
    else if (!isKnown.has(manager) && !isKnown.has(manager.toLowerCase()))
      checkName(manager, names, [...path, 'manager'], place);
  }
}

/** Device types with a signing key, including the default type. */
const SIGNING: readonly unknown[] = ['mobile', 'desktop', undefined];

function checkDevices(devices: unknown, { orgCode, path, complain, unique }: Place): void {
  for (const [nth, device] of entries(devices)) {
    const at = [...path, nth];
    unique('The id', textOf(device.id), [...at, 'id'], 'device');
    if (device.passkey !== undefined && SIGNING.includes(device.type)) {
      complain([...at, 'passkey'], 'Only devices of type webauthn have a passkey.');
    }
    unique('The passkey', textOf(fields(device.passkey).credentialId), [...at, 'passkey', 'credentialId']);
    const key = fields(device.key);
    const [x, y, d] = [textOf(key.x), textOf(key.y), textOf(key.d)];
    if (x === undefined || y === undefined) continue;
    if (device.type === 'webauthn')
      complain([...at, 'key'], 'Devices of type webauthn have a passkey instead of a key.');
    else if (!isKey(x, y, d)) complain([...at, 'key'], d === undefined ? NO_POINT : NO_PAIR);
    if (device.status === undefined || device.status === 'active' || device.status === 'paused') {
      unique('The key', x, [...at, 'key'], orgCode);
    }
  }
}

const NO_POINT = 'This is not a valid key: x and y are not a point of P-256.';
const NO_PAIR = "This is not a key pair: x and y don't match d.";

function isKey(x: string, y: string, d: string | undefined): boolean {
  try {
    if (d === undefined)
      return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }) !== undefined;
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(d, 'base64url');
    // Uncompressed point: 0x04, x, y.
    const point = pair.getPublicKey();
    return point.toString('base64url', 1, 33) === x && point.toString('base64url', 33, 65) === y;
  } catch {
    return false;
  }
}

function checkCodes(codes: unknown, { path, complain }: Place): void {
  const types = new Set<unknown>();
  for (const [nth, { type = 'mobile', issuedAt, expiresAt }] of entries(codes)) {
    if (types.has(type))
      complain([...path, nth, 'type'], `There is already a code for ${String(type)}. Each app can have one.`);
    types.add(type);
    const [from, to] = [Date.parse(String(issuedAt)), Date.parse(String(expiresAt))];
    if (to <= from) complain([...path, nth, 'expiresAt'], 'Codes must expire after they were issued.');
  }
}
