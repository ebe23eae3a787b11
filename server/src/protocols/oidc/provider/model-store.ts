import { AsyncLocalStorage } from 'node:async_hooks';
import { oidcModelRepo, type Sealed, type Tx, vaultOf } from '@orchestrate/db';
import { DAY, HOUR, LIMITS, SECOND } from '@orchestrate/shared';
import type { Adapter, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import { browserOf } from '#core/sign-in/browser-id.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import type { CookieDeps } from '#platform/http/callers/cookie.ts';
import { signInDetailsOf } from '../overrides/store-sign-in-details.ts';
import { subjectTokenOf } from '../tokens/token-exchange.ts';
import { expiryForLibrary, libraryTimeNow, modelForLibrary, modelForPortal } from './portal-time.ts';

/**
 * Minimum change of a session's expiry for which the session is written again. Sessions last for weeks and are saved
 * on every request.
 */
const SESSION_SLACK_MS = HOUR;

/** Lifetime of models for which the library sets none. No model in use lacks a lifetime. */
const ENDLESS_MS = 3_650 * DAY;

/** Sign-in ID of tokens that the lab issues without a sign-in, so that they end together. */
export const labSignInId = new AsyncLocalStorage<string>();

interface Options {
  /** Returns the context of the current request. */
  currentContext: () => KoaContextWithOIDC | undefined;
  /** Returns the error to throw if two requests use a model at the same time. */
  refuse: () => Error;
}

export interface ModelStore extends Adapter {
  /** Stores a model synchronously, as `upsert` does asynchronously. @param expiresIn in seconds */
  put(id: string, payload: AdapterPayload, expiresIn?: number): void;
}

/**
 * Returns the library's storage for one model type. Models are stored under the hash of their ID, because the ID of a
 * code, token or session is its secret. Times are portal times (decision 111).
 */
export function modelStore(
  deps: Pick<Deps, 'db' | 'clock' | 'tokens'> & CookieDeps,
  orgCode: string,
  model: string,
  { currentContext, refuse }: Options,
): ModelStore {
  const { db, clock } = deps;
  const isOfMember = model === 'Session' || model === 'Grant';
  const isToken = model === 'RefreshToken' || model === 'AccessToken';
  // Client signatures are checked in external time, so their IDs expire in external time even if the lab changes its
  // own clock.
  const now = (): number => (model === 'ReplayDetection' ? clock.toExternalTime() : clock.now());
  const keyOf = (id: string) => ({ orgCode, model, idHash: hashSecret(id) });

  function payloadOf(row: oidcModelRepo.OidcModelRow | undefined, id?: string): AdapterPayload | undefined {
    // An expired device code is still returned, which lets the device and the user learn that it has expired.
    if (!row || (row.expiresAt <= now() && model !== 'DeviceCode')) return undefined;
    const { deviceCode: sealed } = row.payload;
    const deviceCode = typeof sealed === 'string' ? openCode(db, sealed) : undefined;
    return {
      ...modelForLibrary(clock, row.payload),
      ...(deviceCode !== undefined && { deviceCode }),
      // The library needs both the device code and the user code, whichever it searched by.
      ...(model === 'DeviceCode' && row.uid !== null && { jti: deviceCode, userCode: openCode(db, row.uid) }),
      exp: expiryForLibrary(now(), row.expiresAt),
      ...(id !== undefined && { jti: id }),
      // OpenID Connect Core 1.0 §12.2: the nonce identifies the authorization request and is omitted from refreshed
      // ID tokens.
      ...(model === 'RefreshToken' && { nonce: undefined }),
      ...(row.consumedAt !== null && !isRepeatable(row, id) && { consumed: libraryTimeNow() }),
    };
  }

  /**
   * Returns true if a used refresh token can be used again: it was used moments ago, by another tab or by a request
   * whose response was lost, and its successor hasn't been used yet.
   */
  function isRepeatable({ consumedAt }: oidcModelRepo.OidcModelRow, id: string | undefined): boolean {
    if (model !== 'RefreshToken' || id === undefined || consumedAt === null) return false;
    if (currentContext()?.oidc.route !== 'token') return false;
    if (clock.now() - consumedAt > LIMITS.refreshReplayGraceSeconds * SECOND) return false;
    const successor = oidcModelRepo.findOidcModel(db, keyOf(successorOf(deps, orgCode, id)));
    return successor === undefined || successor.consumedAt === null;
  }

  /** Returns true if another browser opened a pushed request first. Only that browser can use the request. */
  function isOfOtherBrowser({ browser }: oidcModelRepo.OidcModelRow): boolean {
    const { oidc, req } = currentContext() ?? {};
    if (model !== 'PushedAuthorizationRequest' || oidc?.route !== 'authorization' || browser === null) return false;
    return browser !== browserOf(deps, req?.headers.cookie);
  }

  function uidOf({ uid }: AdapterPayload): string | null {
    if (isToken) return signInOf();
    return model === 'Session' ? (uid ?? null) : null;
  }

  /**
   * Returns the sign-in that a new token descends from: the sign-in of its code, or of the refresh token or subject
   * token that was presented. For tokens of the lab, it is `labSignInId`.
   */
  function signInOf(): string | null {
    const { AuthorizationCode, DeviceCode, RotatedRefreshToken, RefreshToken } = currentContext()?.oidc.entities ?? {};
    const code = (AuthorizationCode ?? DeviceCode)?.jti ?? labSignInId.getStore();
    if (code !== undefined) return hashSecret(`sign-in ${code}`);
    const presented = RotatedRefreshToken ?? RefreshToken ?? subjectTokenOf(currentContext());
    if (presented === undefined) return null;
    const key = { orgCode, model: presented.kind, idHash: hashSecret(presented.jti) };
    return oidcModelRepo.findOidcModel(db, key)?.uid ?? null;
  }

  function put(
    id: string,
    { jti: _secret, exp: _end, consumed: _used, userCode, ...payload }: AdapterPayload,
    expiresIn?: number,
  ): void {
    const deviceCode = model === 'DeviceCode' ? id : payload.deviceCode;
    // Set if a member has signed in but their browser hasn't continued yet.
    const arriving = model === 'Interaction' ? payload.result?.login : undefined;
    const member = isOfMember ? payload : arriving;
    const row = {
      ...keyOf(id),
      payload: modelForPortal(clock, { ...payload, ...(deviceCode && { deviceCode: sealCode(db, deviceCode) }) }),
      grantId: payload.grantId ?? null,
      uid: userCode ? sealCode(db, userCode) : uidOf(payload),
      clientId: payload.clientId ?? null,
      suid: member?.accountId ?? null,
      zid: (member && signInDetailsOf(member).zid) ?? null,
      browser: (model === 'Session' && signInDetailsOf(payload).browser) || null,
      expiresAt: now() + (expiresIn === undefined ? ENDLESS_MS : expiresIn * SECOND),
    };
    if (model !== 'ReplayDetection') {
      oidcModelRepo.putOidcModel(db, row, model === 'Session' ? SESSION_SLACK_MS : 0);
    } else if (!oidcModelRepo.claimOidcModel(db, row, now())) throw refuse();
  }

  return {
    put,

    async upsert(...args) {
      put(...args);
    },

    async find(id) {
      const row = oidcModelRepo.findOidcModel(db, keyOf(id));
      return row && isOfOtherBrowser(row) ? undefined : payloadOf(row, id);
    },

    async findByUid(uid) {
      return payloadOf(oidcModelRepo.findOidcModelByUid(db, { orgCode, model, uid }));
    },

    async findByUserCode(userCode) {
      const row = oidcModelRepo.findOidcModelByUid(db, { orgCode, model, uid: sealCode(db, userCode) });
      return payloadOf(row);
    },

    async consume(id) {
      const key = keyOf(id);
      if (oidcModelRepo.consumeOidcModel(db, key, clock.now())) return;
      const used = oidcModelRepo.findOidcModel(db, key);
      if (used && isRepeatable(used, id)) return;
      // Another request has used this model since it was read. Treat this as a second use, which ends everything
      // issued under its grant.
      if (used?.grantId) oidcModelRepo.deleteOidcModelsOfGrant(db, orgCode, used.grantId);
      throw refuse();
    },

    async destroy(id) {
      // Revoking a refresh token ends the tokens of the same sign-in (RFC 7009 §2.1). Tokens of other sign-ins stay
      // valid.
      const signIn = model === 'RefreshToken' ? oidcModelRepo.findOidcModel(db, keyOf(id))?.uid : null;
      if (signIn) oidcModelRepo.deleteOidcTokens(db, orgCode, signIn);
      oidcModelRepo.deleteOidcModel(db, keyOf(id));
    },

    async revokeByGrantId(grantId) {
      // Keep the grant: all sign-ins of a browser to an application share it, and revocation ends only one sign-in.
      if (currentContext()?.oidc.route === 'revocation') return;
      oidcModelRepo.deleteOidcModelsOfGrant(db, orgCode, grantId);
    },
  };
}

/** Returns the refresh token that replaces the given token: see `deriveRefreshTokens`. */
export const successorOf = ({ tokens }: Pick<Deps, 'tokens'>, orgCode: string, refreshToken: string): string =>
  tokens.successorOf(`oidc ${orgCode} ${refreshToken}`);

/** Device codes are encrypted rather than hashed, because the library must read them again. */
const sealCode = (db: Tx, code: string): Sealed => vaultOf(db).seal(CODE_COLUMN, code);
const openCode = (db: Tx, sealed: string): string => vaultOf(db).open(CODE_COLUMN, sealed as Sealed);
const CODE_COLUMN = 'oidc_models code';
