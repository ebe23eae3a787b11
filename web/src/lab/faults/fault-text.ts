import { t } from '@lingui/core/macro';
import type { AnyFault } from '@orchestrate/shared';

export const timesText = (times: number): string => (times === 1 ? t`once` : t`${times} times`);

/** Returns a description of a fault's effect. */
export function effectText(given: AnyFault): string {
  if (!('match' in given)) return String(given.status);
  const { status, resultName, oauthError, scim, token, claims, fields, assertion, hang, cut, delayMs } = given.answer;
  const what = [
    status !== undefined && String(status),
    resultName,
    oauthError && t`OAuth error ${oauthError}`,
    scim && [t`SCIM error`, scim.status, scim.scimType].filter(Boolean).join(' '),
    token && (typeof token === 'object' ? t`ID token without ${token.without}` : t`ID token: ${token}`),
    claims && t`ID token with ${Object.keys(claims).join(', ')}`,
    fields && t`token response with ${Object.keys(fields).join(', ')}`,
    assertion && t`SAML response: ${assertion}`,
    hang && t`no response`,
    cut && (cut === 'body' ? t`connection dropped during the response` : t`connection dropped before the response`),
    delayMs !== undefined && t`delayed by ${delayMs} ms`,
  ];
  return what.filter(Boolean).join(', ');
}
