import { t } from '@lingui/core/macro';

const BUTTON = 'Sign in';
const TITLE = /^Sign in to (?<organisation>.+)$/s;

/**
 * What an organisation calls its sign-in page. Every organisation begins with words of the portal's own, and those are
 * said in the reader's language; words that an organisation has chosen are as it wrote them.
 */
export function titleOf({ title }: { title: string }): string {
  const organisation = TITLE.exec(title)?.groups?.organisation;
  return organisation === undefined ? title : t`Sign in to ${organisation}`;
}

/** What stands on the button of the sign-in page. @see titleOf */
export const buttonOf = ({ loginButtonName }: { loginButtonName: string }): string =>
  loginButtonName === BUTTON ? t`Sign in` : loginButtonName;
