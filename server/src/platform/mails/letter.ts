import type { organisationRepo } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';

/** The organisation the mail is from: it provides name, colour and the letter shown as the logo. */
export type Brand = Pick<organisationRepo.OrganisationRow, 'orgCode' | 'name' | 'color'>;

/** A part of a letter: a paragraph, a code to type, a link to follow, or small print. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'link'; label: string; href: string }
  | { kind: 'note'; text: string };

/** The contents of a mail, before it is rendered as plain text or HTML. */
export interface Letter {
  language: Language;
  subject: string;
  greeting: string;
  blocks: readonly Block[];
  /** Small, at the end of a mail: why somebody gets it. */
  reason: string;
}

export const text = (words: string): Block => ({ kind: 'text', text: words });
export const note = (words: string): Block => ({ kind: 'note', text: words });
