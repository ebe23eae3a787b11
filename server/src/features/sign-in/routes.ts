import { browserRepo, organisationRepo, type Tx } from '@orchestrate/db';
import {
  type CodeKind,
  codeOf,
  contract,
  fullNameOf,
  LIMITS,
  type LoginMode,
  loginLive,
  type PasskeyRequestOptions,
  type ResultName,
  SECOND,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { browserName } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { relyingPartyOf } from '#core/device-keys/relying-party.ts';
import { beginPush, beginPushTo } from '#core/sign-in/begin/begin-push.ts';
import { type Destination, destinationOf } from '#core/sign-in/begin/destination.ts';
import { requireOrganisation } from '#core/sign-in/begin/require-organisation.ts';
import type { LoginRequest, StartedLogin } from '#core/sign-in/begin/started-login.ts';
import { type BrowserSecret, clearBrowserCookie, readBrowserCookie } from '#core/sign-in/browser-cookie.ts';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { beginChallenge, type Requester } from '#core/sign-in/challenges/begin.ts';
import { withdrawChallenge } from '#core/sign-in/challenges/challenge.ts';
import { drawMatchNumbers } from '#core/sign-in/challenges/codes.ts';
import { createExchangeTokens, type ExchangeTokens } from '#core/sign-in/challenges/exchange-tokens.ts';
import { APPROVED } from '#core/sign-in/challenges/judge.ts';
import { settle } from '#core/sign-in/challenges/settle.ts';
import { requireSignInMethod } from '#core/sign-in/login-policy.ts';
import {
  type RememberedBrowser,
  recogniseBrowser,
  rememberedBrowserCookie,
  rememberedBrowserLifetimeMs,
  requireRememberedMember,
} from '#core/sign-in/remember-browser.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { successWith } from '#platform/http/answers/answer.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { serveChannel } from '#platform/live/serve-channel.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { appSignIn, requireNoConfirmation } from './app-login.ts';
import { approveLoginByPasskey } from './approve-by-passkey.ts';
import { exchangeLogin } from './exchange-login.ts';
import { type LoginResult, loginStateOf, requireLogin } from './login-state.ts';

const LIFETIME = { lifetimeSeconds: LIMITS.loginLifetimeSeconds };

/**
 * Starts a sign-in to be approved on a device (contract §8).
 * @throws Refusal ORG_MISSING; ORG_CODE_NOT_FOUND; IP_NOT_VALID; DID_NOT_ENABLED; WEBAUTHN_NOT_ENABLED; for a push as
 * `beginPush`; for an application EXPIRED or ID_DOESNOT_EXIST
 */
function beginLogin(deps: Deps, request: LoginRequest, requester: Requester): StartedLogin {
  const { mode } = request;
  if (mode === 'PUSH') return beginPush(deps, request, requester);
  if (mode === 'WEBAUTHN') return beginByPasskey(deps, request, requester);
  return beginByCode(deps, { ...request, mode }, requester);
}

function beginByCode(deps: Deps, request: LoginRequest & { mode: CodeKind }, requester: Requester): StartedLogin {
  const { orgCode, mode } = request;
  if (orgCode === undefined) throw new Refusal('ORG_MISSING');
  const { policy, ...destination } = destinationOf(
    deps,
    requireOrganisation(deps, orgCode, requester),
    request,
    requester,
  );
  if (mode === 'DID') requireSignInMethod(policy, 'didEnabled');
  const numbers = policy.stepUpAuthEnabled ? drawMatchNumbers(deps.random) : undefined;
  const { id, qid, did } = beginChallenge(deps, deps.db, {
    orgCode,
    ...destination,
    mode,
    codes: [mode],
    ...LIFETIME,
    ...numbers,
    requester,
  });
  return {
    loginId: id,
    mode,
    ...(qid && { qid }),
    ...(did && { did }),
    ...(numbers && { matchNumber: numbers.matchNumber }),
    idTimeout: LIMITS.loginLifetimeSeconds,
  };
}

/**
 * Starts a passkey sign-in. The sign-in ID doubles as the challenge: 128 random bits, used once, and valid as long as
 * the sign-in.
 */
function beginByPasskey(deps: Deps, request: LoginRequest, requester: Requester): StartedLogin {
  const { orgCode } = request;
  if (orgCode === undefined) throw new Refusal('ORG_MISSING');
  const { policy, ...destination } = destinationOf(
    deps,
    requireOrganisation(deps, orgCode, requester),
    request,
    requester,
  );
  requireSignInMethod(policy, 'webAuthnEnabled');
  const { id } = beginChallenge(deps, deps.db, {
    orgCode,
    ...destination,
    mode: 'WEBAUTHN',
    codes: [],
    ...LIFETIME,
    requester,
  });
  const idTimeout = LIMITS.loginLifetimeSeconds;
  const passkey: PasskeyRequestOptions = {
    challenge: id,
    rpId: relyingPartyOf(deps).id,
    userVerification: 'required',
    timeout: idTimeout * SECOND,
  };
  return { loginId: id, mode: 'WEBAUTHN', passkey, idTimeout };
}

/** Lets members list and forget the browsers that remember them. */
function browsers(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;

  implement(app, deps, contract.listBrowsers, ({ caller: { orgCode, suid }, cookie }) => {
    const organisation = organisationRepo.findOrganisation(db, orgCode);
    const lifetime = organisation ? rememberedBrowserLifetimeMs(organisation) : 0;
    const own = readBrowserCookie(deps, cookie, orgCode);
    const counting = browserRepo
      .listBrowsers(db, orgCode, suid)
      .filter(({ createdAt }) => createdAt + lifetime > clock.now());
    return {
      browsers: counting.map(({ id, userAgent, ip, createdAt, lastUsedAt }) => ({
        id,
        userAgent,
        ip,
        createdAt: isoOf(createdAt),
        lastUsedAt: isoOf(lastUsedAt),
        expiresAt: isoOf(createdAt + lifetime),
        isThis: id === own?.id,
      })),
    };
  });

  const forget = (tx: Tx, actor: AuditActor, suid: string, browser: browserRepo.BrowserRow): boolean => {
    const { orgCode, id, ip } = browser;
    if (!browserRepo.revokeBrowser(tx, orgCode, { id, suid }, clock.now())) return false;
    const object = { type: 'browser', id, name: browserName(browser), suid } as const;
    record(deps, tx, actor, { action: 'browser.forgotten', object, before: { ip } });
    return true;
  };

  implement(app, deps, contract.forgetBrowser, ({ caller: { orgCode, suid }, actor, body: { id } }) => {
    db.transaction((tx) => {
      const found = browserRepo.findBrowser(tx, orgCode, id);
      if (!found || !forget(tx, actor, suid, found)) throw new Refusal('ID_DOESNOT_EXIST');
    });
    return {};
  });

  implement(app, deps, contract.forgetBrowsers, ({ caller: { orgCode, suid }, actor }) =>
    db.transaction((tx) => {
      const found = browserRepo.listBrowsers(tx, orgCode, suid);
      const forgotten = found.filter((browser) => forget(tx, actor, suid, browser)).length;
      if (forgotten === 0) throw new Refusal('ID_DOESNOT_EXIST', { message: 'No browsers remember you.' });
      return { forgotten };
    }),
  );
}

interface RememberedLogin {
  loginId: string;
  /** New value for the browser's cookie. If undefined, the cookie stays unchanged. */
  remembered: RememberedBrowser | undefined;
}

/**
 * Signs in the member whom this browser remembers and approves the request immediately.
 * @throws Refusal as `recogniseBrowser`; AUTHENTICATION_INCOMPLETE if a remembered browser isn't sufficient
 */
function beginRemembered(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  { policy, ...destination }: Destination,
  shown: BrowserSecret | undefined,
  requester: Requester,
): RememberedLogin {
  const started = deps.db.transaction((tx) => {
    const recognized = recogniseBrowser(deps, tx, organisation, policy, shown);
    if (recognized === 'stolen') return undefined;
    if (policy.stepUpAuthEnabled) throw new Refusal('AUTHENTICATION_INCOMPLETE');
    const { device } = recognized;
    const { orgCode, suid } = device;
    const challenge = beginChallenge(deps, tx, {
      orgCode,
      suid,
      ...destination,
      mode: 'COOKIE',
      codes: [],
      lifetimeSeconds: LIMITS.loginLifetimeSeconds,
      requester,
    });
    settle(deps, tx, challenge, device, APPROVED);
    return { loginId: challenge.id, remembered: recognized.next };
  });
  // Throw after the transaction, so that the recorded theft isn't rolled back.
  if (!started) throw new Refusal('COOKIE_ABSENT');
  return started;
}

/** Results that mean that no member is remembered, and not that the request is invalid. */
const NOT_REMEMBERED: ReadonlySet<string> = new Set<ResultName>([
  'COOKIE_ABSENT',
  'COOKIE_EXPIRED',
  'COOKIE_LOGIN_DISABLED',
]);

/** Tells the sign-in page whom its browser remembers, and forgets them. Only the cookie decides. */
function rememberedMember(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getRememberedMember, ({ query, ip, userAgent, cookie }) => {
    const requester = { ip, userAgent, browser: browserOf(deps, cookie) };
    const organisation = requireOrganisation(deps, query.orgCode, requester);
    const { policy } = destinationOf(deps, organisation, query, requester);
    try {
      const shown = readBrowserCookie(deps, cookie, query.orgCode);
      const { member, device } = requireRememberedMember(deps, organisation, policy, shown);
      const { type: deviceType, name, nickName } = device;
      const needsApproval = policy.stepUpAuthEnabled;
      return { member: { fullName: fullNameOf(member), deviceName: nickName || name, deviceType, needsApproval } };
    } catch (failure) {
      if (failure instanceof Refusal && NOT_REMEMBERED.has(failure.result)) return { member: null };
      throw failure;
    }
  });

  implement(app, deps, contract.forgetRememberedMember, ({ body: { orgCode }, cookie, setCookie }) => {
    const shown = readBrowserCookie(deps, cookie, orgCode);
    if (!shown) return {};
    browserRepo.deleteBrowserBySecret(deps.db, orgCode, shown.id, hashSecret(shown.secret));
    setCookie(clearBrowserCookie(deps, orgCode));
    return {};
  });
}

/**
 * Starts a sign-in that the member whom this browser remembers answers on one of their devices.
 * @throws Refusal ORG_MISSING; as `recogniseBrowser` and `beginPush`
 */
function beginPushToRemembered(
  deps: Deps,
  request: LoginRequest,
  requester: Requester,
  cookie: string | undefined,
): StartedLogin {
  const { orgCode } = request;
  if (orgCode === undefined) throw new Refusal('ORG_MISSING');
  const organisation = requireOrganisation(deps, orgCode, requester);
  const destination = destinationOf(deps, organisation, request, requester);
  const shown = readBrowserCookie(deps, cookie, orgCode);
  const { member, device } = requireRememberedMember(deps, organisation, destination.policy, shown);
  const zid = device.type === 'webauthn' ? undefined : device.zid;
  return beginPushTo(deps, organisation, destination, { name: member.primaryEmail, requester, zid });
}

/** Reports a sign-in's progress to the browser that started it. */
function serveLogin(app: FastifyInstance, deps: Deps, tokens: ExchangeTokens): void {
  serveChannel(app, deps, loginLive, {
    open({ query: { loginId } }) {
      requireLogin(deps, loginId);
      return {
        topics: [TOPIC.challenge(loginId)],
        state: () => liveState(deps, tokens, loginId),
      };
    },
  });
}

function liveState(deps: Deps, tokens: ExchangeTokens, loginId: string) {
  const { state, result, deviceName, expiresAt } = loginStateOf(requireLogin(deps, loginId), deps.clock.now());
  const exchangeToken = state === 'success' ? tokens.of(loginId) : undefined;
  return {
    message: { op: 'LOGIN' as const, state, resultCode: codeOf(result), deviceName, exchangeToken },
    expiresAt,
  };
}

/** Serves sign-in, from the start in the browser through approval on a device to the exchange for tokens. */
export function login(app: FastifyInstance, deps: Deps): void {
  const tokens = createExchangeTokens(deps);

  implement(app, deps, contract.login, ({ body, ip, userAgent, cookie, setCookie }) => {
    const requester = { ip, userAgent, browser: browserOf(deps, cookie) };
    if ('loginId' in body) {
      const { orgCode, joined, remembered, ...state } = exchangeLogin(deps, tokens, { ...body, ...requester, cookie });
      if (remembered) setCookie(rememberedBrowserCookie(deps, orgCode, remembered));
      setCookie(joined);
      return { ...state, rememberedUntil: remembered && isoOf(remembered.expiresAt) };
    }
    const { mode } = body;
    if (mode === 'PUSH' && body.remembered) {
      return successWith('LOGIN_INIT', beginPushToRemembered(deps, { ...body, mode }, requester, cookie));
    }
    if (mode !== 'COOKIE') return successWith('LOGIN_INIT', beginLogin(deps, { ...body, mode }, requester));
    const { orgCode, appLoginId, confirmed } = body;
    if (orgCode === undefined) throw new Refusal('ORG_MISSING');
    const organisation = requireOrganisation(deps, orgCode, requester);
    const destination = destinationOf(deps, organisation, body, requester);
    if (appLoginId !== undefined && !confirmed) {
      requireNoConfirmation(deps, { ...requester, id: appLoginId }, cookie);
    }
    const shown = readBrowserCookie(deps, cookie, orgCode);
    const { loginId, remembered } = beginRemembered(deps, organisation, destination, shown, requester);
    if (remembered) setCookie(rememberedBrowserCookie(deps, orgCode, remembered));
    return successWith('LOGIN_SUCCESS', { loginId, mode: 'COOKIE', exchangeToken: tokens.of(loginId) });
  });

  implement(app, deps, contract.loginState, ({ params: { loginId } }) => {
    const found = requireLogin(deps, loginId);
    const { state, result, deviceName } = loginStateOf(found, deps.clock.now());
    const exchangeToken = state === 'success' ? tokens.of(loginId) : undefined;
    return successWith(polledResult(result, found.mode), { state, deviceName, exchangeToken });
  });

  implement(app, deps, contract.withdrawLogin, ({ body: { loginId } }) => {
    withdrawChallenge(deps, requireLogin(deps, loginId).orgCode, loginId);
    return {};
  });

  implement(app, deps, contract.approveByPasskey, async ({ body: { loginId, credential }, ip, cookie }) => {
    const browser = browserOf(deps, cookie);
    const { deviceName } = await approveLoginByPasskey(deps, { loginId, assertion: credential, ip, browser });
    return successWith('LOGIN_SUCCESS', { exchangeToken: tokens.of(loginId), deviceName });
  });

  serveLogin(app, deps, tokens);
  appSignIn(app, deps, tokens);
  browsers(app, deps);
  rememberedMember(app, deps);
}

/** Returns the result code that tells a polling client which step is missing. */
function polledResult(
  result: LoginResult,
  mode: LoginMode,
): LoginResult | 'QR_LOGIN_NOT_DONE' | 'TYPE_CODE_LOGIN_NOT_DONE' {
  if (result !== 'LOGIN_INIT' || mode === 'WEBAUTHN') return result;
  return mode === 'DID' ? 'TYPE_CODE_LOGIN_NOT_DONE' : 'QR_LOGIN_NOT_DONE';
}
