import { i18n } from '../../words/words.ts';

const numbers = new Intl.NumberFormat(i18n.locale);
const lists = new Intl.ListFormat(i18n.locale, { type: 'conjunction' });

/** `1,200` in English, `1.200` in German. */
export const formatNumber = (value: number): string => numbers.format(value);

/** `a, b, and c` in the language of the page. */
export const formatList = (items: readonly string[]): string => lists.format(items);
