import { addWords, sharedTextsLoaded, spokenLanguage } from './words.ts';

let loading: Promise<void> | undefined;

/** Loads the messages of the sign-in methods and dialogs, then imports a module of the sign-in page. */
export async function withSignInWords<Part>(part: () => Promise<Part>): Promise<Part> {
  loading ??= addWords(
    spokenLanguage === 'de'
      ? () => import('#features/sign-in/words/de.po')
      : () => import('#features/sign-in/words/en.po'),
  );
  // Allows a later call to retry.
  loading.catch(() => {
    loading = undefined;
  });
  await Promise.all([loading, sharedTextsLoaded]);
  return part();
}
