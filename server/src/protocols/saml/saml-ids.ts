import { createHmac } from 'node:crypto';
import { installationSecret } from '#core/sign-in/challenges/exchange-tokens.ts';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';

/** Generates an XML ID. XML IDs are NCNames, which can't start with a digit, so the ID gets a prefix. */
export const samlId = ({ random }: Pick<Deps, 'random'>): string => `_${random.id()}`;

export type SecretSource = Pick<Deps, 'db' | 'random' | 'clock'>;

interface OfApplication {
  orgCode: string;
  appId: string;
}

/**
 * Derives 128 bits from the values. The same values always give the same result, which only this installation can
 * compute.
 */
const derivedId = (deps: SecretSource, ...values: string[]): string =>
  createHmac('sha256', installationSecret(deps)).update(JSON.stringify(values)).digest().toString('base64url', 0, 16);

/**
 * Returns a user's persistent name ID for one application (SAML 2.0 core §8.3.7). Other applications can't correlate
 * it.
 */
export const pairwiseIdOf = (deps: SecretSource, { orgCode, appId }: OfApplication, suid: string): string =>
  `_${derivedId(deps, 'saml name id', orgCode, appId, suid)}`;

/**
 * Returns the SessionIndex that identifies a sign-in to the application, which the application sends back to log the
 * user out. It is bound to the name ID, so it can be verified even after the sign-in has ended.
 */
export const sessionIndexOf = (
  deps: SecretSource,
  { orgCode, appId, nameId }: OfApplication & { nameId: string },
  appLoginId: string,
): string => `_${appLoginId}.${derivedId(deps, 'saml session', orgCode, appId, nameId, appLoginId)}`;

/** Returns true if a SessionIndex was issued for this name ID. */
export function isSessionIndexOf(
  deps: SecretSource,
  named: OfApplication & { nameId: string },
  sessionIndex: string,
): boolean {
  const [appLoginId = ''] = sessionIndex.slice(1).split('.');
  return isSameSecret(sessionIndex, sessionIndexOf(deps, named, appLoginId));
}
