import { plural, t } from '@lingui/core/macro';
import { INVITE_EMAILS_MAX } from '@orchestrate/shared';
import type { Tag } from '../../ui/tags.ts';
import { TagsField } from '../../ui/tags-field.tsx';
import { addTags, isComplete } from './email-tags.ts';

interface EmailTagsFieldProps {
  tags: readonly Tag[];
  onTags: (change: (before: Tag[]) => Tag[]) => void;
  /** Typed text that is not a tag yet. */
  typed: string;
  onTyped: (typed: string) => void;
  /** Why a value is required. */
  error?: string | undefined;
}

/** The addresses of those who are invited. */
export function EmailTagsField(field: EmailTagsFieldProps) {
  return (
    <TagsField
      {...field}
      label={t`Email addresses`}
      help={t`Type or paste as many as you like, separated by commas, spaces or lines.`}
      placeholder={t`ada@example.com, bo@example.com`}
      counted={(count) => plural(count, { one: '# address', other: '# addresses' })}
      invalid={t`Please enter a valid email address`}
      tooMany={(leftOut) =>
        t`${leftOut} more didn't fit. You can add up to ${INVITE_EMAILS_MAX} at a time. Use a CSV file for more.`
      }
      isRequired
      isTall
      inputMode="email"
      add={addTags}
      isComplete={isComplete}
    />
  );
}
