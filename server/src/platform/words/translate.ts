import { RESULT_NAMES, resultOf } from '@orchestrate/shared';
import { SHARED_GERMAN, translatorOf } from '@orchestrate/shared/words';
import german from './german.json' with { type: 'json' };
import { GERMAN_RESULTS } from './german-results.ts';

/** Returns the German of a sentence of the portal's; a text that isn't known as it is. */
export const toGerman = translatorOf({
  ...Object.fromEntries(RESULT_NAMES.map((name) => [resultOf(name).sentence, GERMAN_RESULTS[name]])),
  ...SHARED_GERMAN,
  ...german,
});
