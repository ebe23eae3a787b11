import type { organisationRepo } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';

/** The sending organisation, with the portal's origin. The email's logo is a letter on the organisation's colour. */
export type Brand = Pick<organisationRepo.OrganisationRow, 'orgCode' | 'name' | 'color'> & { publicUrl: string };

/** A block of an email: a paragraph, a code, a link or small print. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'link'; label: string; href: string }
  | { kind: 'note'; text: string };

/** The contents of an email before rendering as plain text or HTML. */
export interface Letter {
  language: Language;
  subject: string;
  greeting: string;
  blocks: readonly Block[];
  /** Closing small print that explains why the recipient gets this email. */
  reason: string;
}

export const text = (words: string): Block => ({ kind: 'text', text: words });
export const noteBlock = (words: string): Block => ({ kind: 'note', text: words });
