import {
  challengeRepo,
  externalIdentityRepo,
  externalSignInRepo,
  type memberRepo,
  organisationRepo,
  sessionRepo,
  type Tx,
} from '@orchestrate/db';
import { type AuthState, contract, type ExternalIdentity, LIMITS, MINUTE, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { requireAuthorityOver } from '#core/members/authority.ts';
import { browserOf, identifyBrowser } from '#core/sign-in/browser-id.ts';
import { claimApproval } from '#core/sign-in/challenges/begin-approval.ts';
import { outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import { recordExternalSignIn } from '#core/sign-in/challenges/settle.ts';
import { requireActiveMember } from '#core/sign-in/find-member.ts';
import { loginPolicyOf } from '#core/sign-in/login-policy.ts';
import { authStateOf, openSession, publishEndedSessions } from '#core/sign-in/sessions.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { type Redirect, redirect, redirectOutside } from '#platform/http/answers/answer.ts';
import { type AuditActor, providerActor } from '#platform/http/callers/actors.ts';
import { isAllowedIp, requireAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { implement } from '#platform/http/implement.ts';
import { callbackAddress } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { ExternalSignInFailed, pageOf, refusalOf } from './failure.ts';
import { needsOwnApproval } from './needs-own-approval.ts';
import { createProviders, type Providers } from './provider.ts';
import { handleProviderReturn, LINK_ACTION, linkContent, linkFacts } from './return-external.ts';

interface ExternalExchange {
  code: string;
  /** Database key of the exchanging browser; undefined if it sent no cookie (see `browserOf`). */
  browser: string | undefined;
  ip: string;
  actor: AuditActor;
  userAgent: string;
}

/**
 * Exchanges an external sign-in for tokens. Works once, shortly after the sign-in, and only in the browser that
 * started it. The first exchange links the provider account to the member.
 * @throws Refusal AUTHENTICATION_INCOMPLETE while the member hasn't approved on their device; LOGIN_NO_CONSENT if
 * they denied; USER_INACTIVE if they were disabled in the meantime; IP_NOT_VALID; EXPIRED in all other cases
 */
function exchangeExternal(deps: Deps, exchange: ExternalExchange): AuthState {
  const { code, browser, ip, userAgent } = exchange;
  if (!browser) throw new Refusal('EXPIRED');
  const hashes = { codeHash: hashSecret(code), browser };
  const session = deps.db.transaction((tx) => {
    const { orgCode, suid, ...signIn } = claim(deps, tx, hashes);
    const organisation = organisationRepo.findOrganisation(tx, orgCode);
    if (!organisation) throw new Refusal('EXPIRED');
    requireAllowedIp(ip, organisation);
    const member = requireActiveMember(tx, orgCode, suid);
    const externalIdentityId = link(deps, tx, { member, signIn, exchange });
    recordExternalSignIn(deps, tx, member, ip);
    const opened = { orgCode, suid, zid: null, mode: 'OIDC', ip, userAgent, externalIdentityId, browser };
    return openSession(deps, tx, opened);
  });
  return authStateOf(deps, session);
}

/** Facts established about the sign-in when the browser returned. */
interface Claimed extends Record<'orgCode' | 'suid' | 'issuer' | 'subject' | 'email', string> {
  /** True if the member has approved the sign-in on a device. */
  isApproved: boolean;
}

function claim(deps: Deps, tx: Tx, hashes: externalSignInRepo.ExternalSignInSecrets): Claimed {
  const now = deps.clock.now();
  const found = externalSignInRepo.findExternalSignInByCode(tx, hashes);
  if (!found?.suid || !found.issuer || !found.subject) throw new Refusal('EXPIRED');
  const { orgCode, suid, issuer, subject, email, approvalId } = found;
  if (approvalId !== null) requireOwnApproval(deps, tx, { orgCode, suid, issuer, subject }, approvalId);
  const waited = approvalId === null ? 0 : LIMITS.loginLifetimeSeconds;
  const approvedAfter = now - (LIMITS.loginExchangeSeconds + waited) * SECOND;
  if (!externalSignInRepo.claimExternalSignIn(tx, hashes, { approvedAfter, now })) throw new Refusal('EXPIRED');
  return { orgCode, suid, issuer, subject, email: email ?? '', isApproved: approvalId !== null };
}

function requireOwnApproval(
  deps: Deps,
  tx: Tx,
  { orgCode, suid, ...account }: Record<'orgCode' | 'suid' | 'issuer' | 'subject', string>,
  approvalId: string,
): void {
  const challenge = challengeRepo.findChallenge(tx, orgCode, approvalId);
  const outcome = challenge && outcomeOf(challenge, deps.clock.now());
  if (outcome === 'pending') throw new Refusal('AUTHENTICATION_INCOMPLETE');
  if (outcome === 'denied' || outcome === 'cancelled') throw new Refusal('LOGIN_NO_CONSENT');
  const approvable = { orgCode, suid, action: LINK_ACTION, content: linkContent(account) };
  if (!claimApproval(deps, tx, approvable, approvalId)) throw new Refusal('EXPIRED');
}

interface Linking {
  member: memberRepo.MemberRow;
  signIn: Omit<Claimed, 'orgCode' | 'suid'>;
  exchange: ExternalExchange;
}

/**
 * Links the provider account to the member, or updates the existing link.
 * @returns the link's ID
 */
function link(deps: Deps, tx: Tx, { member, signIn: { isApproved, ...account }, exchange }: Linking): string {
  const { orgCode, suid } = member;
  const now = deps.clock.now();
  const known = externalIdentityRepo.findExternalIdentity(tx, orgCode, account);
  const approvedAt = isApproved ? now : (known?.approvedAt ?? null);
  // Since the browser returned, the account may have been linked to another member, or the member's address or
  // permissions may have changed, so check again.
  if (known && known.suid !== suid) throw new Refusal('EXPIRED');
  if (!known && (member.primaryEmail !== account.email || member.emailVerifiedAt === null))
    throw new Refusal('EXPIRED');
  if (approvedAt === null && needsOwnApproval(tx, member)) throw new Refusal('EXPIRED');
  if (known) {
    externalIdentityRepo.touchExternalIdentity(tx, orgCode, { id: known.id, approvedAt }, now);
    return known.id;
  }
  const id = deps.random.id();
  const identity = { id, orgCode, suid, ...account, linkedAt: now, approvedAt, lastUsedAt: now };
  if (!externalIdentityRepo.insertExternalIdentity(tx, identity)) throw new Refusal('EXPIRED');
  record(
    deps,
    tx,
    { ...providerActor(orgCode, exchange.ip, account.issuer), recorded: exchange.actor.recorded },
    {
      action: 'external-identity.linked',
      after: linkFacts(account),
      object: { type: 'external-identity', id, name: memberObject(member).name, suid },
    },
  );
  return id;
}

const listLinks = ({ db }: Deps, { orgCode, suid }: memberRepo.MemberRow): ExternalIdentity[] =>
  externalIdentityRepo.listExternalIdentities(db, orgCode, suid).map(({ id, issuer, email, linkedAt, lastUsedAt }) => ({
    id,
    issuer,
    email,
    linkedAt: isoOf(linkedAt),
    lastUsedAt: isoOf(lastUsedAt),
  }));

/**
 * Removes a link of the acting member, or of a member over whom they have authority. Ends the sessions that the link
 * created.
 * @throws Refusal ID_DOESNOT_EXIST; INVALID_PERMISSIONS
 */
function removeLink(
  deps: Deps,
  { caller, actor, target }: { caller: Caller; actor: AuditActor; target: memberRepo.MemberRow },
  id: string,
): void {
  const { orgCode, suid } = target;
  const ended = deps.db.transaction((tx) => {
    requireAuthorityOver(tx, caller, target);
    const removed = externalIdentityRepo.removeExternalIdentity(tx, orgCode, { id, suid });
    if (!removed) throw new Refusal('ID_DOESNOT_EXIST');
    const object = { type: 'external-identity' as const, id, name: memberObject(target).name, suid };
    record(deps, tx, actor, { action: 'external-identity.unlinked', object, before: linkFacts(removed) });
    return sessionRepo.revokeSessions(tx, orgCode, { externalIdentityId: id }, deps.clock.now());
  });
  publishEndedSessions(deps, ended);
}

/** How long a user can take at the provider, in milliseconds. */
const LIFETIME = 10 * MINUTE;

interface Beginning {
  orgCode: string;
  /** Database key of the browser that starts the sign-in (see `identifyBrowser`). */
  browser: string;
  ip: string;
}

/**
 * Starts a sign-in through the organisation's provider.
 * @returns the provider's page
 * @throws ExternalSignInFailed
 */
async function beginExternal(deps: Deps, providers: Providers, beginning: Beginning): Promise<URL> {
  const { db, clock, random } = deps;
  const { orgCode, browser, ip } = beginning;
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new ExternalSignInFailed('unknown-organisation');
  if (!isAllowedIp(ip, organisation.allowedIps)) throw new ExternalSignInFailed('ip-blocked', orgCode);
  const { client, configuration } = await providers.of(organisation);
  const [state, nonce, codeVerifier] = [random.secret(), random.secret(), random.secret()];
  const now = clock.now();
  externalSignInRepo.insertExternalSignIn(db, {
    orgCode,
    nonce,
    codeVerifier,
    stateHash: hashSecret(state),
    browser,
    createdAt: now,
    expiresAt: now + LIFETIME,
  });
  const { forceAuthnEnabled } = loginPolicyOf(organisation, undefined);
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackAddress(deps),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    // If the organisation forces authentication, an existing session at the provider isn't enough.
    ...(forceAuthnEnabled && { prompt: 'login' }),
  });
}

/** Serves sign-in to the portal through the organisation's external OpenID provider (decision 088). */
export function externalSignIn(app: FastifyInstance, deps: Deps): void {
  const providers = createProviders(deps);

  implement(app, deps, contract.beginExternalSignIn, ({ query: { orgCode }, ip, wantsPage, cookie, setCookie }) =>
    orPage(wantsPage, async () => {
      const identified = identifyBrowser(deps, cookie);
      const page = await beginExternal(deps, providers, { orgCode, browser: identified.browser, ip });
      setCookie(identified.cookie);
      return redirectOutside(page);
    }),
  );

  implement(app, deps, contract.returnFromProvider, ({ query, ip, userAgent, actor, wantsPage, cookie }) =>
    orPage(wantsPage, async () => {
      const requester = { ip, userAgent };
      const returned = { answer: query, browser: browserOf(deps, cookie), requester, actor };
      const { orgCode, code, approval } = await handleProviderReturn(deps, providers, returned);
      // The code is in the fragment, which browsers don't send to servers.
      const fragment = new URLSearchParams({
        code,
        ...(approval && { approval: approval.approvalId, number: approval.matchNumber }),
      });
      return redirect(`/${encodeURIComponent(orgCode)}/sign-in?login=success#${fragment}`);
    }),
  );

  implement(app, deps, contract.exchangeExternalSignIn, ({ body: { code }, ip, userAgent, actor, cookie }) => {
    return exchangeExternal(deps, { code, browser: browserOf(deps, cookie), ip, userAgent, actor });
  });

  implement(app, deps, contract.listExternalIdentities, ({ target }) => ({ identities: listLinks(deps, target) }));

  implement(app, deps, contract.removeExternalIdentity, (call) => {
    removeLink(deps, call, call.body.id);
    return {};
  });
}

/** Turns a failure into a page for browsers or a refusal for programs. */
async function orPage(wantsPage: boolean, work: () => Promise<Redirect>): Promise<Redirect> {
  try {
    return await work();
  } catch (reason) {
    if (!(reason instanceof ExternalSignInFailed)) throw reason;
    if (wantsPage) return redirect(pageOf(reason));
    throw refusalOf(reason);
  }
}
