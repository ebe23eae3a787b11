import type { PendingChallenge } from '@orchestrate/shared';
import { describeBrowser, requestTitle } from '@orchestrate/shared/authenticator';

/** Formats a request as one line: `Sign in to Payroll? Acme Corporation, Chrome on Linux, 192.0.2.14, for 108 s`. */
export function describeRequest(challenge: PendingChallenge, portalNow: number): string {
  const { requester, orgName, expiresAt, numberChoices } = challenge;
  const seconds = Math.max(0, Math.round((Date.parse(expiresAt) - portalNow) / 1_000));
  const number = numberChoices ? `, shows ${orList(numberChoices)}` : '';
  const who = requester.fullName ? `${requester.fullName}, ` : '';
  return `${requestTitle(challenge)} ${orgName}, ${who}${describeBrowser(requester.userAgent)}, ${requester.ip}${number}, for ${seconds} s`;
}

/** Formats values as `17, 82 or 46`. */
export const orList = (values: readonly string[]): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
