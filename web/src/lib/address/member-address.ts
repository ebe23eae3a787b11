import { type AccountStatus, fullNameOf, hiddenCharacter, type Member } from '@orchestrate/shared';

/** Members about whom the address also gives some data (spec 1 §2). */
const TOLD: ReadonlySet<AccountStatus> = new Set(['unregistered', 'invited', 'deleted']);

/** Address of a member's detail, below one of the lists: `paths.member` or `paths.directReport`. */
export const memberAddress = (pathTo: (segment: string) => string, member: Member): string =>
  namedAddress(pathTo, { ...member, fullName: fullNameOf(member) });

/** The same of somebody of whom only this is known. */
export function namedAddress(
  pathTo: (segment: string) => string,
  { primaryAttr, suid, fullName, accountStatus }: MemberSegment & Pick<Member, 'accountStatus'>,
): string {
  const path = pathTo(encodeMemberSegment({ primaryAttr, suid, fullName }));
  return TOLD.has(accountStatus) ? `${path}?status=${accountStatus}` : path;
}

/** The member that an `:id` segment of the address stands for (spec 1 §2). */
export interface MemberSegment {
  primaryAttr: string;
  suid: string;
  fullName: string;
}

/** Encodes the member as base64url of its JSON in UTF-8, so that any name survives in an address. */
export function encodeMemberSegment(member: MemberSegment): string {
  const bytes = new TextEncoder().encode(JSON.stringify(member));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const NAME_MAX_LENGTH = 100;

/**
 * Anyone can write an address, so its name is one short line. It is '' if it contains characters that could hide or
 * reorder it.
 */
function plainName(name: string): string {
  const characters = [...name.trim()];
  const short = characters.length > NAME_MAX_LENGTH ? [...characters.slice(0, NAME_MAX_LENGTH - 1), '…'] : characters;
  return hiddenCharacter(name) === undefined ? short.join('') : '';
}

/** The member that a segment means, from base64 or base64url; null where the segment is anything else. */
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
