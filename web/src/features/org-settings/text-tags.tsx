import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { addTags, holdsSeveral, splitTags, type Tag } from '../../ui/tags.ts';
import { TagsField } from '../../ui/tags-field.tsx';

interface TextTagsProps {
  label: string;
  help: string;
  placeholder: string;
  /** So many of them, e.g. `2 domains`. */
  counted: (count: number) => string;
  invalid: string;
  max: number;
  /** Whether a text may be valid at all; the server may still refuse it. */
  isValid: (text: string) => boolean;
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** react-hook-form's error of the field: for the whole, or one for each wrong text. */
  error: unknown;
}

const messageOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : undefined;

/** A list of short texts in a form. */
export function TextTags({ values, onChange, error, isValid, max, ...field }: TextTagsProps) {
  const [typed, setTyped] = useState('');
  // What is typed counts before it is a tag, so that it is asked about, and kept where the session ends.
  const isCounted = values.length > 0 && values.at(-1) === typed.trim();
  const settled = isCounted ? values.slice(0, -1) : values;
  const type = (next: string) => {
    const text = next.trim();
    const counts = isValid(text) && settled.length < max && !settled.includes(text);
    if (counts || isCounted) onChange(counts ? [...settled, text] : [...settled]);
    setTyped(next);
  };
  const each: readonly unknown[] = Array.isArray(error) ? error : [];
  const tags: Tag[] = settled.map((text, at) => ({
    text,
    isValid: isValid(text) && messageOf(each[at]) === undefined,
  }));
  return (
    <TagsField
      {...field}
      tags={tags}
      onTags={(change) => onChange(change(tags).map(({ text }) => text))}
      typed={typed}
      onTyped={type}
      add={(before, text) => addTags(before, splitTags(text), { max, isValid })}
      isComplete={(text) => holdsSeveral(text) || isValid(text.trim())}
      tooMany={(leftOut) => t`${leftOut} more did not fit: at most ${max}.`}
      error={messageOf(error) ?? each.map(messageOf).find(Boolean)}
    />
  );
}
