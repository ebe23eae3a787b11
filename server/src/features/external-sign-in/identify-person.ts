import { MINUTE, SECOND } from '@orchestrate/shared';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import type { IDToken, TokenEndpointResponse, UserInfoResponse } from 'openid-client';
import { accessTokenHash } from '../../core/sign-in/access-token-hash.ts';
import type { Provider } from '../../core/sign-in/external-provider.ts';
import type { Deps } from '../../deps.ts';
import { ExternalSignInFailed, type FailureName } from './failure.ts';

/** What the sign-in began with, which the provider's answer must match. */
export interface Expected {
  orgCode: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Error codes of openid-client for a provider that did not answer, or that may not be asked. */
const UNANSWERED: ReadonlySet<string | undefined> = new Set([undefined, 'OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** The person who signed in at the provider: identified by issuer and subject; the address only says whom to link. */
export interface ExternalPerson {
  /** Issuer of the provider, from its discovery document. */
  issuer: string;
  /** `sub` of the ID token. */
  subject: string;
  /** Its ASCII letters in lower case; '' if the provider gives none. */
  email: string;
  /** True only if the provider itself says so: `email_verified` is true. */
  isEmailVerified: boolean;
}

/**
 * Who signed in at the provider; the address from the ID token, else from the provider's userinfo.
 * @param address where the browser came back to, with what it brought
 * @throws ExternalSignInFailed
 */
export async function identifyPerson(
  { log, clock }: Pick<Deps, 'log' | 'clock'>,
  provider: Provider,
  address: URL,
  { orgCode, ...expected }: Expected,
): Promise<ExternalPerson> {
  const { client } = provider;
  const configuration = provider.forSignIn();
  try {
    const {
      sub: subject,
      email,
      email_verified: verified,
    } = await claimsOf({ client, configuration }, address, expected, clock.told());
    return {
      issuer: configuration.serverMetadata().issuer,
      subject,
      email: typeof email === 'string' ? inLowerCase(email) : '',
      // Some providers write the boolean as text.
      isEmailVerified: String(verified) === 'true',
    };
  } catch (reason) {
    const error = errorOf(client, reason);
    // These contain neither codes nor tokens: only the library's message and the error's name.
    log.warn({ orgCode, reason: String(reason), error: error?.slice(0, 200) }, 'an external sign-in failed');
    const isBadAnswer =
      reason instanceof Distrusted || (reason instanceof client.ClientError && !UNANSWERED.has(reason.code));
    const isDown = isOverloaded(reason) || (error === undefined && !isBadAnswer);
    throw new ExternalSignInFailed(isDown ? 'provider-down' : failureOf(error), orgCode);
  }
}

/**
 * Without letters of other alphabets, of which some become ASCII (U+212A, the sign of the kelvin): the provider has verified
 * another mailbox than that of the member.
 */
const inLowerCase = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** An ID token that the library accepts, but not we. */
class Distrusted extends Error {}

/** Whether the provider answered that it cannot answer: any of its endpoints, with an error of its own or without. */
function isOverloaded(reason: unknown): boolean {
  if (reason instanceof Response) return reason.status === 429 || reason.status >= 500;
  return reason instanceof Error && isOverloaded(reason.cause);
}

/** The provider's own name for the error, if it gives one. */
function errorOf(client: Provider['client'], reason: unknown): string | undefined {
  if (reason instanceof client.AuthorizationResponseError || reason instanceof client.ResponseBodyError) {
    return reason.error;
  }
  return reason instanceof client.WWWAuthenticateChallengeError ? reason.cause[0]?.parameters.error : undefined;
}

type Claims = IDToken | UserInfoResponse;

async function claimsOf(
  { client, configuration }: Pick<Provider, 'client' | 'configuration'>,
  address: URL,
  { state, nonce, codeVerifier }: Omit<Expected, 'orgCode'>,
  now: number,
): Promise<Claims> {
  const tokens = await client.authorizationCodeGrant(configuration, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('Expected the provider to send an ID token, but it sent none.');
  requireOwn(claims, configuration.clientMetadata().client_id, now);
  requireTogether(claims, tokens);
  if (claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
  return client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
}

/** What may lie between two clocks. */
const LEEWAY = MINUTE;

/** OpenID Connect Core §2. */
const SUBJECT_MAX_LENGTH = 255;

/**
 * What OpenID Connect Core §2 and §3.1.3.7 let a client check further, and the library leaves out: that the token names
 * somebody, and was issued to us, even where the audience is ours alone, and not in the future. @param now milliseconds
 */
function requireOwn({ sub, azp, iat }: IDToken, clientId: string, now: number): void {
  if (sub === '' || sub.length > SUBJECT_MAX_LENGTH) throw new Distrusted('The ID token names nobody (sub).');
  if (azp !== undefined && azp !== clientId) throw new Distrusted('The ID token was issued to another client (azp).');
  if (iat * SECOND > now + LEEWAY) throw new Distrusted('The ID token was issued in the future (iat).');
}

/** OpenID Connect Core §3.1.3.8: an access token that comes with an ID token is the one that it names. */
function requireTogether(
  { at_hash: named }: IDToken,
  { access_token: token, id_token: signed = '' }: TokenEndpointResponse,
) {
  const { alg = '' } = decodeProtectedHeader(signed);
  if (named !== undefined && named !== accessTokenHash(token, alg)) {
    throw new Distrusted('The ID token belongs to another access token (at_hash).');
  }
}

/** What a provider's error means for the person (RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6). */
function failureOf(error: string | undefined): FailureName {
  switch (error) {
    case 'access_denied':
    case 'login_required':
    case 'interaction_required':
    case 'consent_required':
    case 'account_selection_required':
      return 'denied';
    case 'server_error':
    case 'temporarily_unavailable':
      return 'provider-down';
    case 'invalid_client':
    case 'unauthorized_client':
    case 'invalid_request':
    case 'invalid_scope':
    case 'unsupported_response_type':
      return 'provider-setup';
    default:
      return 'provider-failed';
  }
}
