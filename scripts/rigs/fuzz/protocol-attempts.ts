import fc from 'fast-check';
import type { Attempt } from './attempt.ts';
import { oidcAttempt } from './oidc-attempts.ts';
import { pageAttempt } from './page-attempts.ts';
import { rawAttempt } from './raw-attempts.ts';
import { samlAttempt } from './saml-attempts.ts';
import { scimAttempt } from './scim-attempts.ts';

/** Attempts at everything except the API: protocols, pages and raw bytes. */
export const protocolAttempt: fc.Arbitrary<Attempt> = fc.oneof(
  { weight: 5, arbitrary: oidcAttempt },
  { weight: 4, arbitrary: samlAttempt },
  { weight: 6, arbitrary: scimAttempt },
  { weight: 3, arbitrary: pageAttempt },
  { weight: 2, arbitrary: rawAttempt },
);
