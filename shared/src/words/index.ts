import german from './german.json' with { type: 'json' };
import type { Translations } from './translator.ts';

export { type Translations, translatorOf } from './translator.ts';

/**
 * German translations of this package's strings that the client also displays: field messages, names, questions on a
 * phone.
 */
export const SHARED_GERMAN: Translations = german;
