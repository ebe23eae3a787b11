import { email as emailField } from '@orchestrate/shared';

/** A row with its address in lower case, undefined where it has none. */
export interface AddressedRow {
  row: InviteRow;
  email: string | undefined;
}

/** Somebody to be invited, as a line of the file or an item of the list names him; trimmed, '' where it says nothing. */
export interface InviteRow {
  /** Of the file, or in the list, from 1. */
  line: number;
  email: string;
  firstName: string;
  lastName: string;
  primaryAttr: string;
  /** Why it cannot be read; `email` is then all of it. */
  problem?: string;
}

export function readAddress(row: InviteRow): AddressedRow {
  const parsed = emailField.safeParse(row.email);
  return { row, email: parsed.success ? parsed.data : undefined };
}
