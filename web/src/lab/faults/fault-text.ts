import { t } from '@lingui/core/macro';
import type { AnyFault } from '@orchestrate/shared';

export const countText = (times: number): string => (times === 1 ? t`once` : t`${times} times`);

/** What a fault answers, in a few words. */
export function answerText(given: AnyFault): string {
  if (!('match' in given)) return String(given.status);
  const { status, resultName, oauthError, scim, token, assertion, hang, cut, delayMs } = given.answer;
  const what = [
    status !== undefined && String(status),
    resultName,
    oauthError && t`OAuth error ${oauthError}`,
    scim && [t`SCIM error`, scim.status, scim.scimType].filter(Boolean).join(' '),
    token && t`ID token: ${token}`,
    assertion && t`SAML answer: ${assertion}`,
    hang && t`no answer`,
    cut && (cut === 'body' ? t`cut within the answer` : t`cut before the answer`),
    delayMs !== undefined && t`${delayMs} ms late`,
  ];
  return what.filter(Boolean).join(', ');
}
