import { t } from '@lingui/core/macro';
import type { AppType, CsvField } from '@orchestrate/shared';
import type { Tag } from '#ui/form/tags.ts';
import { addTags } from './email-tags.ts';

export type InviteMode = 'email' | 'file';

/** Form values. */
export interface InviteDraft {
  type: AppType | undefined;
  mode: InviteMode;
  tags: Tag[];
  /** Typed text that isn't a tag yet. */
  typed: string;
  file: File | undefined;
  /** Fields that the user chose for the file's columns. */
  columns: (CsvField | '')[] | undefined;
  sendEmail: boolean;
  /** True if unknown addresses create members. */
  addNew: boolean;
}

export const emptyDraft: InviteDraft = {
  type: undefined,
  mode: 'email',
  tags: [],
  typed: '',
  file: undefined,
  columns: undefined,
  sendEmail: true,
  addNew: true,
};

/** Form errors by field. */
export type InviteProblems = { [field in 'type' | 'emails' | 'file']?: string | undefined };

const REQUIRED = t`This field is required`;

/** Converts the typed text to a tag. */
export const withTypedTags = (draft: InviteDraft): InviteDraft => ({
  ...draft,
  tags: addTags(draft.tags, draft.typed).tags,
  typed: '',
});

/** Validates the form, which requires a device type and at least one address or a file (spec 1 §5). */
export function validateDraft({ type, mode, tags, file }: InviteDraft): InviteProblems {
  return {
    ...(!type && { type: REQUIRED }),
    ...(mode === 'email' && tags.length === 0 && { emails: REQUIRED }),
    ...(mode === 'email' && tags.some(({ isValid }) => !isValid) && { emails: t`Please enter a valid email address` }),
    ...(mode === 'file' && !file && { file: REQUIRED }),
  };
}
