import { spokenLanguage } from '../../words/words.ts';

/**
 * A label in the middle of a sentence: `Inactive` becomes 'inactive'. German writes its nouns with a capital there too.
 */
export const inSentence = (label: string): string => (spokenLanguage === 'de' ? label : label.toLowerCase());
