import type { TransProps } from '@lingui/react';
import { TransNoContext } from '@lingui/react/server';
import { i18n } from './words.ts';

/** A sentence with elements in it. */
export const Trans = ({ values, ...props }: TransProps) => (
  <TransNoContext {...props} values={values && withoutTags(values)} lingui={{ i18n }} />
);

/**
 * Lingui looks for its tags in the finished sentence, so it would take `Pixel <b>9</b>`, a name that people chose, for
 * an element. It inserts anything but strings and numbers without looking into it.
 */
const withoutTags = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && value.includes('<') ? [value] : value,
    ]),
  );
