import { email as emailField, LIMITS } from '@orchestrate/shared';

/**
 * Derives a provisional name from an address. For example, `ada.berg+work@acme.test` becomes Ada Berg, and
 * `aberg@acme.test` becomes Aberg without a last name.
 */
function nameOfAddress(email: string): { firstName: string; lastName: string } {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/\+.*$/, '');
  const words = local.split(/[._-]+/).filter((word) => /\p{L}/u.test(word));
  const [firstName = email, ...others] = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const { personNameMaxLength: max } = LIMITS;
  return { firstName: firstName.slice(0, max), lastName: others.join(' ').slice(0, max) };
}

/** A row with its address in lower case. The address is undefined if the row has no valid address. */
export interface AddressedRow {
  row: InviteRow;
  email: string | undefined;
}

/** A person to invite, from a line of a file or an item of a list. Fields are trimmed, and '' if missing. */
export interface InviteRow {
  /** Line in the file or position in the list, from 1. */
  line: number;
  email: string;
  firstName: string;
  lastName: string;
  primaryAttr: string;
  /** Why the row can't be read. If set, `email` contains the whole row. */
  problem?: string;
}

export function readAddress(row: InviteRow): AddressedRow {
  const parsed = emailField.safeParse(row.email);
  return { row, email: parsed.success ? parsed.data : undefined };
}

/** Fills in a missing name and primary attribute from the address, in case the row becomes a new member. */
export function withDerivedName({ row, email }: AddressedRow): AddressedRow {
  if (email === undefined) return { row, email };
  const name = row.firstName || row.lastName ? {} : nameOfAddress(email);
  return { row: { ...row, ...name, primaryAttr: row.primaryAttr || email }, email };
}
