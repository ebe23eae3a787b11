import { t } from '@lingui/core/macro';

const BUTTON = 'Sign in';
const TITLE = /^Sign in to (?<organisation>.+)$/s;

/**
 * Returns the title of an organisation's sign-in page. The portal's default text is translated; the organisation's own
 * text is displayed as is.
 */
export function titleOf({ title }: { title: string }): string {
  const organisation = TITLE.exec(title)?.groups?.organisation;
  return organisation === undefined ? title : t`Sign in to ${organisation}`;
}

/** Returns the label of the sign-in button, translated like `titleOf`. */
export const buttonOf = ({ loginButtonName }: { loginButtonName: string }): string =>
  loginButtonName === BUTTON ? t`Sign in` : loginButtonName;
