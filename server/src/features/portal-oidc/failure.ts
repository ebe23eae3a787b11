import type { ResultName } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

/** Results for failed sign-ins, each with a sentence for API clients if the result's own message doesn't fit. */
const FAILURES = {
  'not-configured': { result: 'OIDC_NOT_CONFIGURED' },
  'unknown-organisation': { result: 'OIDC_USER_ORG_NOT_FOUND' },
  'unknown-state': {
    result: 'OIDC_USER_ORG_NOT_FOUND',
    message: 'This sign-in was started in another browser or has already been used. Start again.',
  },
  expired: { result: 'EXPIRED', message: 'The sign-in took too long. Start again.' },
  'unknown-email': { result: 'OIDC_USER_EMAIL_NOT_FOUND' },
  'no-email': {
    result: 'OIDC_USER_EMAIL_NOT_FOUND',
    message: "The identity provider didn't send an email address.",
  },
  'unverified-email': {
    result: 'OIDC_USER_EMAIL_NOT_FOUND',
    message: "The identity provider hasn't verified your email address.",
  },
  'unproven-email': {
    result: 'OIDC_USER_EMAIL_NOT_FOUND',
    message: "Your email address hasn't been verified here yet. Sign in with your device and verify it on your page.",
  },
  'needs-device': {
    result: 'AUTHENTICATION_INCOMPLETE',
    message: 'This sign-in must be approved on a registered device.',
  },
  busy: {
    result: 'BAD_REQUEST',
    message: "Requests are already waiting on this person's device. Answer them first, or try again in two minutes.",
  },
  inactive: { result: 'USER_INACTIVE' },
  'not-registered': { result: 'USER_NOT_REGISTERED_FOR_ORG' },
  denied: { result: 'LOGIN_NO_CONSENT', message: 'The sign-in was denied at the identity provider.' },
  'provider-setup': {
    result: 'BAD_REQUEST',
    message: "The identity provider doesn't accept this portal's settings.",
  },
  'provider-down': { result: 'BAD_REQUEST', message: "The identity provider isn't responding." },
  'provider-failed': { result: 'BAD_REQUEST', message: "The identity provider's response can't be trusted." },
  'ip-blocked': { result: 'IP_NOT_VALID' },
} as const satisfies Record<string, { result: Exclude<ResultName, 'SUCCESS'>; message?: string }>;

export type FailureName = keyof typeof FAILURES;

/** Thrown to end an external sign-in without signing anyone in. */
export class ExternalSignInFailed extends Error {
  readonly failure: FailureName;
  /** Organisation code; '' if unknown. */
  readonly orgCode: string;

  constructor(failure: FailureName, orgCode = '') {
    super(failure);
    this.failure = failure;
    this.orgCode = orgCode;
  }
}

/** Returns the page that displays the failure. */
export function pageOf({ failure, orgCode }: ExternalSignInFailed): `/static/${string}` {
  if (failure === 'ip-blocked') return '/static/ip-blocked';
  const search = orgCode && `?${new URLSearchParams({ org: orgCode })}`;
  return `/static/sso-${failure}${search}`;
}

/** Returns the failure as a refusal for programs. */
export function refusalOf({ failure }: ExternalSignInFailed): Refusal {
  const found: { result: ResultName; message?: string } = FAILURES[failure];
  return new Refusal(found.result, found.message === undefined ? {} : { message: found.message });
}
