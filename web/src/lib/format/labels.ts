import { t } from '@lingui/core/macro';
import { spokenLanguage } from '#words/words.ts';

/** Labels of attributes that most organisations use as their primary attribute. */
const attributes: Readonly<Record<string, string>> = { employeeId: t`employee ID`, username: t`username` };

/** Returns an attribute's label from its wire name: 'employee ID' for `employeeId`, 'UPN' for `UPN`. */
export const attributeLabel = (field: string): string => attributes[field] ?? wordsOf(field);

/** Splits a field name into words: 'staff number' for `staff_number`. */
export function wordsOf(field: string): string {
  const words = field.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[\s_-]+/);
  const read = (word: string) => (/^id$/i.test(word) ? 'ID' : /^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase());
  return words.map(read).join(' ');
}

/** Lowercases a label for use inside a sentence, except in German, which capitalises nouns. */
export const inSentence = (label: string): string => (spokenLanguage === 'de' ? label : label.toLowerCase());
