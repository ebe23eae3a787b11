import { translateServerText } from '#words/translate-server-text.ts';
import { spokenLanguage } from '#words/words.ts';

/** Returns the translated label of a field name on the wire: `employeeId` becomes 'employee ID', `UPN` stays. */
export const attributeLabel = (field: string): string => translateServerText(wordsOf(field));

/** Returns the English label, which is the key for translations. */
export function wordsOf(field: string): string {
  const words = field.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[\s_-]+/);
  const read = (word: string) => (/^id$/i.test(word) ? 'ID' : /^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase());
  return words.map(read).join(' ');
}

/** Lowercases a label for use inside a sentence, except in German, which capitalises nouns. */
export const inSentence = (label: string): string => (spokenLanguage === 'de' ? label : label.toLowerCase());
