import { t } from '@lingui/core/macro';

const BUTTON = 'Sign in';
const TITLE = /^Sign in to (?<organisation>.+)$/s;

/**
 * Returns the title of an organisation's sign-in screen. The portal's default title is translated; a custom title is
 * displayed as is.
 */
export function signInTitleOf({ title }: { title: string }): string {
  const organisation = TITLE.exec(title)?.groups?.organisation;
  return organisation === undefined ? title : t`Sign in to ${organisation}`;
}

/** Returns the label of the sign-in button, translated like `signInTitleOf`. */
export const signInButtonLabelOf = ({ loginButtonName }: { loginButtonName: string }): string =>
  loginButtonName === BUTTON ? t`Sign in` : loginButtonName;
