import { sentencesLoaded } from './said.ts';
import { addWords, spokenLanguage } from './words.ts';

let loading: Promise<void> | undefined;

/** Loads what the ways of signing in and the dialogs of the sign-in page say, then the part of the page itself. */
export async function withSignInWords<Part>(part: () => Promise<Part>): Promise<Part> {
  loading ??= addWords(
    spokenLanguage === 'de'
      ? () => import('#features/sign-in/words/de.po')
      : () => import('#features/sign-in/words/en.po'),
  );
  // A later try loads them again.
  loading.catch(() => {
    loading = undefined;
  });
  await Promise.all([loading, sentencesLoaded]);
  return part();
}
