import { MAGIC_DOMAIN, MAGIC_VALUES, type MagicValue } from '@orchestrate/shared';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';

const byName = new Map(MAGIC_VALUES.flatMap((value) => value.names.map((name) => [name, value] as const)));

/** Matches `expired@magic.test` and `expired+2@magic.test`, as people type them. */
const MAGIC = new RegExp(String.raw`^\s*([^@\s+]*)(?:\+[^@\s]*)?@${MAGIC_DOMAIN.replace('.', '\\.')}\s*$`, 'i');

export const magicAddress = (name: string): string => `${name}@${MAGIC_DOMAIN}`;

/** Returns the name in a magic address, known or not; undefined for any other text. */
export const magicNameOf = (text: string): string | undefined =>
  text.includes('@') ? MAGIC.exec(text)?.[1] : undefined;

/** @throws Refusal INVALID_REQUEST naming the nearest, because a typo must not look like an unknown person */
export function requireMagic(given: string): MagicValue {
  const name = given.toLowerCase();
  const found = byName.get(name);
  if (found) return found;
  const meant = nearest(name, [...byName.keys()]);
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  const hint = meant ? `Did you mean ${magicAddress(meant)}?` : 'GET /api/lab/magic lists them.';
  throw new Refusal('INVALID_REQUEST', { message: `${magicAddress(shown)} is not a magic address. ${hint}` });
}

export const UNREACHABLE = `Calls with an address of ${MAGIC_DOMAIN} return its result and never reach a member. Choose another address`;

/**
 * Returns false for an address that calls can never reach, because its magic result is returned instead. One that only
 * delays calls is reachable.
 */
export function isReachable(email: string): boolean {
  const name = magicNameOf(email);
  return name === undefined || isOnlySlow(byName.get(name.toLowerCase()));
}

function isOnlySlow(value: MagicValue | undefined): boolean {
  if (!value) return false;
  const { delayMs, ...others } = value.answer;
  return delayMs !== undefined && Object.keys(others).length === 0;
}
