import { t } from '@lingui/core/macro';
import type { AppType, CsvField } from '@orchestrate/shared';
import type { Tag } from '#ui/form/tags.ts';
import { addTags } from './email-tags.ts';

export type InviteMode = 'email' | 'file';

/** The form as it is filled in. */
export interface InviteDraft {
  type: AppType | undefined;
  mode: InviteMode;
  tags: Tag[];
  /** An address that is not a tag yet. */
  typed: string;
  file: File | undefined;
  /** What its columns hold, where this was chosen by hand. */
  columns: (CsvField | '')[] | undefined;
  sendEmail: boolean;
  /** Whether addresses that nobody has become new members. */
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

/** The form's errors, each under its field. */
export type InviteProblems = { [field in 'type' | 'emails' | 'file']?: string | undefined };

const REQUIRED = t`This field is required`;

/** The draft with what was typed last as a tag. */
export const settled = (draft: InviteDraft): InviteDraft => ({
  ...draft,
  tags: addTags(draft.tags, draft.typed).tags,
  typed: '',
});

/** Spec 1 §5: a device type, and at least one address or a file. */
export function problemsOf({ type, mode, tags, file }: InviteDraft): InviteProblems {
  return {
    ...(!type && { type: REQUIRED }),
    ...(mode === 'email' && tags.length === 0 && { emails: REQUIRED }),
    ...(mode === 'email' && tags.some(({ isValid }) => !isValid) && { emails: t`Please enter a valid email address` }),
    ...(mode === 'file' && !file && { file: REQUIRED }),
  };
}
