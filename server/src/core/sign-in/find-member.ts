import { memberRepo, type Tx } from '@orchestrate/db';
import { composed } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

/** Returns the member, or undefined if they are unknown, disabled, deleted or not yet registered. */
export function findActiveMember(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow | undefined {
  const member = memberRepo.findMember(tx, orgCode, suid);
  return member?.accountStatus === 'active' ? member : undefined;
}

/** Returns the member. @throws Refusal USER_INACTIVE if they are disabled, deleted or not yet registered */
export function requireActiveMember(tx: Tx, orgCode: string, suid: string): memberRepo.MemberRow {
  const member = findActiveMember(tx, orgCode, suid);
  if (!member) throw new Refusal('USER_INACTIVE');
  return member;
}

/** Fullwidth and halfwidth characters. */
const WIDTHS = /[\u3000\uff01-\uffee]/g;

/**
 * Normalises a user name for storage and comparison: composed (NFC), with letters in their usual width (RFC 8265
 * §3.4.1, RFC 7644 §5). Keeps the case, because directories expect the name back unchanged.
 */
export const normaliseUserName = (userName: string): string =>
  composed(userName.replace(WIDTHS, (character) => character.normalize('NFKC')));
