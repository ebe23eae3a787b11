import { MAGIC_DOMAIN, MAGIC_VALUES, type MagicValue } from '@orchestrate/shared';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';

const byName = new Map(MAGIC_VALUES.flatMap((value) => value.names.map((name) => [name, value] as const)));

/**
 * Matches magic addresses such as `expired@magic.test` and `expired+2@magic.test`, regardless of case and surrounding
 * spaces.
 */
const MAGIC = new RegExp(String.raw`^\s*([^@\s+]*)(?:\+[^@\s]*)?@${MAGIC_DOMAIN.replace('.', '\\.')}\s*$`, 'i');

export const magicAddress = (name: string): string => `${name}@${MAGIC_DOMAIN}`;

/** Returns the name in a magic address, even if the name is unknown. Returns undefined for any other string. */
export const magicNameOf = (text: string): string | undefined =>
  text.includes('@') ? MAGIC.exec(text)?.[1] : undefined;

/**
 * Returns the magic value with this name.
 * @throws Refusal INVALID_REQUEST with the closest name, because a typo must not look like an unknown person
 */
export function requireMagicValue(given: string): MagicValue {
  const name = given.toLowerCase();
  const found = byName.get(name);
  if (found) return found;
  const meant = nearest(name, [...byName.keys()]);
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  const hint = meant ? `Did you mean ${magicAddress(meant)}?` : 'GET /api/lab/magic lists all magic addresses.';
  throw new Refusal('INVALID_REQUEST', { message: `${magicAddress(shown)} isn't a magic address. ${hint}` });
}

export const UNREACHABLE_ADDRESS_MESSAGE = `Calls with an address in ${MAGIC_DOMAIN} return the address's result and never reach a member. Choose another address`;

/**
 * Returns false for an email address that calls can't reach, because they get its magic result instead. An address
 * that only delays calls is reachable.
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
