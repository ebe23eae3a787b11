import { addWords, sharedTextsLoaded, spokenLanguage } from './words.ts';

let loading: Promise<void> | undefined;

/** Loads the messages of the sign-in methods, then imports the methods. */
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

/**
 * Loads all messages of the sign-in page and those shared by all pages, then imports a module that uses the shell's
 * chunk, such as a dialog.
 */
export async function withDialogWords<Part>(part: () => Promise<Part>): Promise<Part> {
  const { withWords } = await import('./with-words.ts');
  return withSignInWords(() => withWords('layout', part));
}
