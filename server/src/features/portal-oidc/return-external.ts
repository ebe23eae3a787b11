import { externalIdentityRepo, externalSignInRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { type contract, MINUTE, type RequestOf, SECOND } from '@orchestrate/shared';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import type { IDToken, TokenEndpointResponse, UserInfoResponse } from 'openid-client';
import { memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import type { Requester } from '#core/sign-in/challenges/begin.ts';
import {
  beginApproval,
  canApprove,
  hasMaxPendingRequests,
  type StartedApproval,
} from '#core/sign-in/challenges/begin-approval.ts';
import { announceChallenge } from '#core/sign-in/challenges/challenge.ts';
import { denialPause } from '#core/sign-in/challenges/denial-pause.ts';
import type { Provider } from '#core/sign-in/external-provider.ts';
import type { Deps } from '#deps.ts';
import { accessTokenHash, hashSecret } from '#platform/adapters/secrets.ts';
import { type AuditActor, providerActor } from '#platform/http/callers/actors.ts';
import { isAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { callbackAddress } from '#platform/own-addresses.ts';
import type { ExternalTime } from '#platform/times.ts';
import { ExternalSignInFailed, type FailureName } from './failure.ts';
import { needsOwnApproval } from './needs-own-approval.ts';
import type { Providers } from './provider.ts';

/** Values from the start of the sign-in that the provider's response must match. */
interface Expected {
  orgCode: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Error codes from openid-client that mean the provider didn't respond or must not be called. */
const UNANSWERED: ReadonlySet<string | undefined> = new Set([undefined, 'OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/**
 * A user who signed in at the provider, identified by issuer and subject. The address only determines which member to
 * link.
 */
interface ExternalPerson {
  /** Provider's issuer, from its discovery document. */
  issuer: string;
  /** `sub` claim of the ID token. */
  subject: string;
  /** Email address with ASCII letters in lower case; '' if the provider sends none. */
  email: string;
  /** True only if the provider's `email_verified` is true. */
  isEmailVerified: boolean;
}

/**
 * Identifies the user who signed in at the provider. The email address comes from the ID token or from userinfo.
 * @param address URL to which the browser returned, with its parameters
 * @throws ExternalSignInFailed
 */
async function identifyPerson(
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
    } = await claimsOf({ client, configuration }, address, expected, clock.toExternalTime());
    return {
      issuer: configuration.serverMetadata().issuer,
      subject,
      email: typeof email === 'string' ? inLowerCase(email) : '',
      // Some providers send the boolean as a string.
      isEmailVerified: String(verified) === 'true',
    };
  } catch (reason) {
    const error = errorOf(client, reason);
    // The logged values contain no codes or tokens, only the library's message and the error name.
    log.warn({ orgCode, reason: String(reason), error: error?.slice(0, 200) }, 'an external sign-in failed');
    const isBadAnswer =
      reason instanceof Distrusted || (reason instanceof client.ClientError && !UNANSWERED.has(reason.code));
    const isDown = isOverloaded(reason) || (error === undefined && !isBadAnswer);
    throw new ExternalSignInFailed(isDown ? 'provider-down' : failureOf(error), orgCode);
  }
}

/**
 * Lower-cases only ASCII letters. Some letters in other alphabets (such as U+212A, the kelvin sign) become ASCII when
 * lower-cased, which would match a mailbox other than the verified one.
 */
const inLowerCase = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The library accepts this ID token, but the portal doesn't trust it. */
class Distrusted extends Error {}

/** Returns true if one of the provider's endpoints reported that it is overloaded, with or without an error code. */
function isOverloaded(reason: unknown): boolean {
  if (reason instanceof Response) return reason.status === 429 || reason.status >= 500;
  return reason instanceof Error && isOverloaded(reason.cause);
}

/** Returns the provider's error code, if any. */
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
  now: ExternalTime,
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

/** Maximum tolerated difference between the provider's clock and the portal's, in milliseconds. */
const LEEWAY = MINUTE;

/** Maximum length of `sub` (OpenID Connect Core §2). */
const SUBJECT_MAX_LENGTH = 255;

/**
 * Makes the checks from OpenID Connect Core §2 and §3.1.3.7 that the library doesn't: the token has a valid subject,
 * was issued to the portal (even if the portal is the only audience), and wasn't issued in the future.
 * @param now in milliseconds
 */
function requireOwn({ sub, azp, iat }: IDToken, clientId: string, now: ExternalTime): void {
  if (sub === '' || sub.length > SUBJECT_MAX_LENGTH) throw new Distrusted('The ID token has no valid subject (sub).');
  if (azp !== undefined && azp !== clientId) throw new Distrusted('The ID token was issued to another client (azp).');
  if (iat * SECOND > now + LEEWAY) throw new Distrusted('The ID token was issued in the future (iat).');
}

/** Requires the access token to match the hash in its ID token (OpenID Connect Core §3.1.3.8). */
function requireTogether(
  { at_hash: named }: IDToken,
  { access_token: token, id_token: signed = '' }: TokenEndpointResponse,
) {
  const { alg = '' } = decodeProtectedHeader(signed);
  if (named !== undefined && named !== accessTokenHash(token, alg)) {
    throw new Distrusted('The ID token was issued for another access token (at_hash).');
  }
}

/** Maps a provider's error to a failure (RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6). */
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

/** Member whom a provider account signs in, and the link that identifies the member; undefined on the first sign-in. */
interface Recognised {
  member: memberRepo.MemberRow;
  identity: externalIdentityRepo.ExternalIdentityRow | undefined;
}

/**
 * Returns the member linked to the issuer and subject, whatever their current addresses. On the first sign-in,
 * returns the member whose address both the portal and the provider have verified.
 * @throws ExternalSignInFailed no-email, unverified-email, unknown-email, unproven-email; inactive, not-registered
 */
function recognise(tx: Tx, orgCode: string, person: ExternalPerson): Recognised {
  const identity = externalIdentityRepo.findExternalIdentity(tx, orgCode, person);
  if (identity) {
    return { identity, member: requireActive(memberRepo.findMember(tx, orgCode, identity.suid), orgCode) };
  }
  if (person.email === '') throw new ExternalSignInFailed('no-email', orgCode);
  if (!person.isEmailVerified) throw new ExternalSignInFailed('unverified-email', orgCode);
  const member = requireActive(memberRepo.findMemberByEmail(tx, orgCode, person.email), orgCode);
  if (member.emailVerifiedAt === null) throw new ExternalSignInFailed('unproven-email', orgCode);
  return { identity, member };
}

function requireActive(member: memberRepo.MemberRow | undefined, orgCode: string): memberRepo.MemberRow {
  if (!member) throw new ExternalSignInFailed('unknown-email', orgCode);
  if (member.accountStatus === 'inactive') throw new ExternalSignInFailed('inactive', orgCode);
  if (member.accountStatus !== 'active') throw new ExternalSignInFailed('not-registered', orgCode);
  return member;
}

export interface ProviderReturn {
  /** Query parameters with which the provider redirected the browser back. */
  answer: RequestOf<typeof contract.returnFromProvider>['query'];
  /** Database key of the returning browser; undefined if it sent no cookie (see `browserOf`). */
  browser: string | undefined;
  requester: Requester;
  actor: AuditActor;
}

/** Single-use code that the starting browser exchanges for its session. */
export interface ReturnedExternal {
  orgCode: string;
  code: string;
  /** Present if the member must approve on a device first. */
  approval: StartedApproval | undefined;
}

/**
 * Handles a browser's return from the provider, and starts signing its user in.
 * @throws ExternalSignInFailed
 */
export async function handleProviderReturn(
  deps: Deps,
  providers: Providers,
  returned: ProviderReturn,
): Promise<ReturnedExternal> {
  const signIn = claimState(deps, returned);
  const { orgCode } = signIn;
  const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
  if (!organisation) throw new ExternalSignInFailed('unknown-organisation');
  if (!isAllowedIp(returned.requester.ip, organisation.allowedIps)) {
    throw new ExternalSignInFailed('ip-blocked', orgCode);
  }
  const address = new URL(callbackAddress(deps));
  address.search = new URLSearchParams(returned.answer).toString();
  const provider = await providers.of(organisation);
  const person = await identifyPerson(deps, provider, address, { ...signIn, state: returned.answer.state ?? '' });
  const code = deps.random.secret();
  const { approval, suid } = deps.db.transaction((tx) =>
    writeReturn(deps, tx, { returned, signIn, person, codeHash: hashSecret(code) }),
  );
  if (approval) announceChallenge(deps, { id: approval.approvalId, suid });
  return { orgCode, code, approval };
}

/** Claims the state, which uses it up whatever the outcome. */
function claimState({ db, clock }: Deps, { answer, browser }: ProviderReturn): externalSignInRepo.ExternalSignInRow {
  if (!answer.state || !browser) throw new ExternalSignInFailed('unknown-state');
  const now = clock.now();
  const hashes = { stateHash: hashSecret(answer.state), browser };
  const found = externalSignInRepo.claimReturnedSignIn(db, hashes, now);
  if (!found) throw new ExternalSignInFailed('unknown-state');
  if (found.expiresAt <= now) throw new ExternalSignInFailed('expired', found.orgCode);
  return found;
}

interface Writing {
  returned: ProviderReturn;
  signIn: externalSignInRepo.ExternalSignInRow;
  person: ExternalPerson;
  codeHash: string;
}

function writeReturn(deps: Deps, tx: Tx, { returned, signIn, person, codeHash }: Writing) {
  const { orgCode, stateHash } = signIn;
  const recognised = recognise(tx, orgCode, person);
  const { suid } = recognised.member;
  const isTrusted = recognised.identity !== undefined && recognised.identity.approvedAt !== null;
  const approval =
    !isTrusted && needsOwnApproval(tx, recognised.member)
      ? askForApproval(deps, tx, { returned, person, recognised })
      : undefined;
  const { issuer, subject, email } = person;
  const row = { stateHash, suid, codeHash, issuer, subject, email, approvalId: approval?.approvalId ?? null };
  externalSignInRepo.approveExternalSignIn(tx, orgCode, row, deps.clock.now());
  return { approval, suid };
}

/** Requests an approval on the member's own device, which displays the provider and the email address. */
function askForApproval(
  deps: Deps,
  tx: Tx,
  { returned, person, recognised: { member } }: Pick<Writing, 'returned' | 'person'> & { recognised: Recognised },
): StartedApproval {
  const { orgCode, suid } = member;
  if (!canApprove(deps, tx, member)) throw new ExternalSignInFailed('needs-device', orgCode);
  const { ip } = returned.requester;
  const isPaused = denialPause(deps, tx, orgCode, { suid, ip, browser: returned.browser }) !== undefined;
  if (isPaused || hasMaxPendingRequests(deps, tx, member)) throw new ExternalSignInFailed('busy', orgCode);
  const approvable = { orgCode, suid, action: LINK_ACTION, content: linkContent(person) };
  const statement = `Let ${person.email || person.subject} at ${hostOf(person.issuer)} sign in as you`;
  const started = beginApproval(deps, tx, approvable, { statement, requester: returned.requester });
  record(
    deps,
    tx,
    { ...providerActor(orgCode, ip, person.issuer), recorded: returned.actor.recorded },
    {
      action: 'external-identity.approval-requested',
      after: linkFacts(person),
      object: { ...memberObject(member), type: 'external-identity', suid },
    },
  );
  return started;
}

const hostOf = (issuer: string): string => URL.parse(issuer)?.host ?? issuer;

/** Action named in the approval of a link. */
export const LINK_ACTION = 'link-external-identity';
export const linkContent = ({ issuer, subject }: Pick<ExternalPerson, 'issuer' | 'subject'>) => ({ issuer, subject });

/** Returns a link's facts for the audit trail and the approval. */
export const linkFacts = ({ issuer, subject, email }: Omit<ExternalPerson, 'isEmailVerified'>) => ({
  issuer,
  subject,
  email,
});
