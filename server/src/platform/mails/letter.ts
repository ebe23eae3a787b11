import type { organisationRepo } from '@orchestrate/db';

/** Whose mail it is: name, colour and the letter that stands for the logo come from here. */
export type Brand = Pick<organisationRepo.OrganisationRow, 'orgCode' | 'name' | 'color'>;

/** A part of a letter: a paragraph, a code to be typed, a link to be followed, or small print. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'link'; label: string; href: string }
  | { kind: 'note'; text: string };

/** What a mail says, before it is plain text or HTML. */
export interface Letter {
  subject: string;
  firstName: string;
  blocks: readonly Block[];
}

export const text = (words: string): Block => ({ kind: 'text', text: words });
export const note = (words: string): Block => ({ kind: 'note', text: words });
