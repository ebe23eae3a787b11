import { said } from '#words/said.ts';
import { spokenLanguage } from '#words/words.ts';

/** What people read for a field's name on the wire: `employeeId` becomes 'employee ID', `UPN` stays. */
export const attributeLabel = (field: string): string => said(wordsOf(field));

/** The same in English, for the names that everybody's language is made from. */
export function wordsOf(field: string): string {
  const words = field.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[\s_-]+/);
  const read = (word: string) => (/^id$/i.test(word) ? 'ID' : /^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase());
  return words.map(read).join(' ');
}

/**
 * A label in the middle of a sentence: `Inactive` becomes 'inactive'. German writes its nouns with a capital there too.
 */
export const inSentence = (label: string): string => (spokenLanguage === 'de' ? label : label.toLowerCase());
