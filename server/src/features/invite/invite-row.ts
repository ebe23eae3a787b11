import { email as emailField, LIMITS } from '@orchestrate/shared';

/**
 * Derives a provisional name from an address: `ada.berg+work@acme.test` is Ada Berg, `aberg@acme.test` Aberg without
 * a last name.
 */
function nameOfAddress(email: string): { firstName: string; lastName: string } {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/\+.*$/, '');
  const words = local.split(/[._-]+/).filter((word) => /\p{L}/u.test(word));
  const [firstName = email, ...others] = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const { personNameMaxLength: max } = LIMITS;
  return { firstName: firstName.slice(0, max), lastName: others.join(' ').slice(0, max) };
}

/** Row with its address in lower case; undefined without one. */
export interface AddressedRow {
  row: InviteRow;
  email: string | undefined;
}

/** Person to be invited, from a line of the file or an item of the list; fields are trimmed, '' if missing. */
export interface InviteRow {
  /** Line of the file, or position in the list, from 1. */
  line: number;
  email: string;
  firstName: string;
  lastName: string;
  primaryAttr: string;
  /** Why the row can't be read; `email` then contains the whole row. */
  problem?: string;
}

export function readAddress(row: InviteRow): AddressedRow {
  const parsed = emailField.safeParse(row.email);
  return { row, email: parsed.success ? parsed.data : undefined };
}

/** Completes the row of a possibly new member with a name derived from the address. */
export function withDerivedName({ row, email }: AddressedRow): AddressedRow {
  if (email === undefined) return { row, email };
  const name = row.firstName || row.lastName ? {} : nameOfAddress(email);
  return { row: { ...row, ...name, primaryAttr: row.primaryAttr || email }, email };
}
