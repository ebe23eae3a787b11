import { t } from '@lingui/core/macro';
import { ASSERTION_DAMAGES, OAUTH_ERRORS, RESULT_NAMES, TOKEN_DAMAGES } from '@orchestrate/shared';

const RESULTS = RESULT_NAMES.filter((name) => !name.startsWith('RESERVED'));

/** What can happen to a request, and what has to be said about it. */
export const FAULT_KINDS = {
  status: { words: t`an HTTP status`, asks: 'status' },
  resultName: { words: t`a result of the portal`, asks: 'one of', label: t`Result`, options: RESULTS },
  oauthError: { words: t`an OAuth error`, asks: 'one of', label: t`OAuth error`, options: OAUTH_ERRORS },
  scim: { words: t`a SCIM error`, asks: 'status' },
  token: { words: t`a damaged ID token`, asks: 'one of', label: t`Damage`, options: TOKEN_DAMAGES },
  assertion: { words: t`a damaged SAML answer`, asks: 'one of', label: t`Damage`, options: ASSERTION_DAMAGES },
  delayMs: { words: t`the real answer, late`, asks: 'nothing' },
  hang: { words: t`no answer at all`, asks: 'nothing' },
  cut: { words: t`the connection ends before the answer`, asks: 'nothing' },
  cutBody: { words: t`the connection ends within the answer`, asks: 'nothing' },
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;
export const faultKinds = Object.keys(FAULT_KINDS) as FaultKind[];
