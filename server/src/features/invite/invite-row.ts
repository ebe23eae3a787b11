import { email as emailField, LIMITS } from '@orchestrate/shared';

/**
 * A name for somebody of whom only the address is known, until they say it themselves: `ada.berg+work@acme.test` is Ada
 * Berg, `aberg@acme.test` Aberg without a last name.
 */
function nameOfAddress(email: string): { firstName: string; lastName: string } {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/\+.*$/, '');
  const words = local.split(/[._-]+/).filter((word) => /\p{L}/u.test(word));
  const [firstName = email, ...others] = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const { personNameMaxLength: max } = LIMITS;
  return { firstName: firstName.slice(0, max), lastName: others.join(' ').slice(0, max) };
}

/** A row with its address in lower case, undefined where it has none. */
export interface AddressedRow {
  row: InviteRow;
  email: string | undefined;
}

/** Somebody to be invited, from a line of the file or an item of the list; fields are trimmed, '' if missing. */
export interface InviteRow {
  /** Line of the file, or position in the list, from 1. */
  line: number;
  email: string;
  firstName: string;
  lastName: string;
  primaryAttr: string;
  /** Why it cannot be read; `email` then holds the whole row. */
  problem?: string;
}

export function readAddress(row: InviteRow): AddressedRow {
  const parsed = emailField.safeParse(row.email);
  return { row, email: parsed.success ? parsed.data : undefined };
}

/** The row of somebody who may be new, with what it does not say taken from the address. */
export function completed({ row, email }: AddressedRow): AddressedRow {
  if (email === undefined) return { row, email };
  const name = row.firstName || row.lastName ? {} : nameOfAddress(email);
  return { row: { ...row, ...name, primaryAttr: row.primaryAttr || email }, email };
}
