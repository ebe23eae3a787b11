import german from './german.json' with { type: 'json' };
import type { Translations } from './translator.ts';

export { type Translations, translatorOf } from './translator.ts';

/** The German of this package's texts that the client displays too: messages of fields, names, questions on a phone. */
export const SHARED_GERMAN: Translations = german;
