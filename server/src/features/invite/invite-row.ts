import { email as emailField } from '@orchestrate/shared';

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
