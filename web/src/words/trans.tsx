import type { TransProps } from '@lingui/react';
import { TransNoContext } from '@lingui/react/server';
import { i18n } from './words.ts';

/** A translated sentence that contains elements. */
export const Trans = ({ values, ...props }: TransProps) => (
  <TransNoContext {...props} values={values && withoutTags(values)} lingui={{ i18n }} />
);

/**
 * Wraps values that contain `<`. Lingui parses tags after inserting values, so it would treat a user-chosen name such
 * as `Pixel <b>9</b>` as an element. It parses only strings and numbers, so wrapped values are safe.
 */
const withoutTags = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && value.includes('<') ? [value] : value,
    ]),
  );
