import type { memberCountRepo, roleRepo } from '@orchestrate/db';
import {
  MANAGER_PERMISSIONS,
  PERMISSIONS,
  type Permission,
  type RoleItem,
  type RoleType,
  SYSTEM_ROLE_CODES,
} from '@orchestrate/shared';

const TYPES: readonly RoleType[] = ['admin', 'user', 'custom'];
const SYSTEM: readonly string[] = SYSTEM_ROLE_CODES;

/** Admin roles first, then the user's, then those of the organisation's own making; each as they were. */
export function inShownOrder(a: roleRepo.RoleRow, b: roleRepo.RoleRow): number {
  return TYPES.indexOf(a.type) - TYPES.indexOf(b.type) || SYSTEM.indexOf(a.roleCode) - SYSTEM.indexOf(b.roleCode);
}

/** A role with how many have it. Whoever has been deleted has none. */
export function roleOf(
  { roleCode, name, type, permissions }: roleRepo.RoleRow,
  counts: readonly memberCountRepo.MemberCount[],
): RoleItem {
  const having = counts.filter((count) => count.roleCode === roleCode && count.accountStatus !== 'deleted');
  return { roleCode, name, type, permissions, userCount: having.reduce((total, { members }) => total + members, 0) };
}

/** Characters of a code; an id has 64, and a number may follow. */
const CODE_MAX_LENGTH = 58;

/** The code of a new role: its name in capitals, `Café team` as `CAFE_TEAM`, with a number where that is taken. */
export function codeOfName(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, CODE_MAX_LENGTH)
    .replace(/^_+|_+$/g, '');
  const base = plain || 'ROLE';
  const used = new Set([...taken, ...SYSTEM]);
  let code = base;
  for (let number = 2; used.has(code); number += 1) code = `${base}_${number}`;
  return code;
}

/** Whether two names are the same to people, who see neither case nor what is invisible. */
export const isSameName = (a: string, b: string): boolean => keyOf(a) === keyOf(b);
const keyOf = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Each permission once, in the order of the table. */
export function inTableOrder(permissions: readonly Permission[]): Permission[] {
  return PERMISSIONS.filter((permission) => permissions.includes(permission));
}

/** What one of two lists has and the other lacks. */
export function difference(a: readonly Permission[], b: readonly Permission[]): Permission[] {
  return PERMISSIONS.filter((permission) => a.includes(permission) !== b.includes(permission));
}

/** Those that come with being a manager, and no role has (decision 086). */
export function managersOwn(permissions: readonly Permission[]): Permission[] {
  return MANAGER_PERMISSIONS.filter((permission) => permissions.includes(permission));
}
