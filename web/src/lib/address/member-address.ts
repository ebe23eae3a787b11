import { type AccountStatus, fullNameOf, hiddenCharacter, type Member } from '@orchestrate/shared';

/** Account statuses that are part of a member's URL (spec 1 §2). */
const STATUSES_IN_ADDRESS: ReadonlySet<AccountStatus> = new Set(['unregistered', 'invited', 'deleted']);

/** Returns the path of a member's details, below `paths.member` or `paths.directReport`. */
export const memberAddress = (pathTo: (segment: string) => string, member: Member): string =>
  memberAddressFrom(pathTo, { ...member, fullName: fullNameOf(member) });

/** Returns the path of a member's details, like `memberAddress`, from the individual fields it contains. */
export function memberAddressFrom(
  pathTo: (segment: string) => string,
  { primaryAttr, suid, fullName, accountStatus }: MemberSegment & Pick<Member, 'accountStatus'>,
): string {
  const path = pathTo(encodeMemberSegment({ primaryAttr, suid, fullName }));
  return STATUSES_IN_ADDRESS.has(accountStatus) ? `${path}?status=${accountStatus}` : path;
}

/** Member data encoded in an `:id` path segment (spec 1 §2). */
export interface MemberSegment {
  primaryAttr: string;
  suid: string;
  fullName: string;
}

/** Encodes a member's JSON (UTF-8) as base64url, which supports names in any script. */
export function encodeMemberSegment(member: MemberSegment): string {
  const bytes = new TextEncoder().encode(JSON.stringify(member));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const NAME_MAX_LENGTH = 100;

/**
 * Shortens a name from a URL to one short line, because anyone can craft the URL. Returns '' if the name contains
 * characters that could hide or reorder text.
 */
function plainName(name: string): string {
  const characters = [...name.trim()];
  const short = characters.length > NAME_MAX_LENGTH ? [...characters.slice(0, NAME_MAX_LENGTH - 1), '…'] : characters;
  return hiddenCharacter(name) === undefined ? short.join('') : '';
}

/** Decodes a member from base64 or base64url. Returns null for any other string. */
export function decodeMemberSegment(segment: string): MemberSegment | null {
  try {
    const binary = atob(decodeURIComponent(segment).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value !== 'object' || value === null) return null;
    const { primaryAttr, suid, fullName }: Partial<Record<keyof MemberSegment, unknown>> = value;
    if (typeof primaryAttr !== 'string' || typeof suid !== 'string' || typeof fullName !== 'string') return null;
    return { primaryAttr, suid, fullName: plainName(fullName) };
  } catch {
    return null;
  }
}
