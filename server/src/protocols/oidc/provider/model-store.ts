import { oidcModelRepo, type Sealed, type Tx, vaultOf } from '@orchestrate/db';
import { DAY, HOUR, LIMITS, SECOND } from '@orchestrate/shared';
import type { Adapter, AdapterPayload, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { browserOf } from '#core/sign-in/browser-id.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import type { CookieDeps } from '#platform/http/callers/cookie.ts';
import { expiryForLibrary, libraryNow, modelForLibrary, modelForPortal } from './portal-time.ts';

/** Sessions last for weeks and are saved on every request, but not every save need be a write. */
const SESSION_SLACK_MS = HOUR;

/** Lifetime of models to which the library gives no end; no model in use is like that. */
const ENDLESS_MS = 3_650 * DAY;

interface Running {
  request: () => KoaContextWithOIDC | undefined;
  refuse: () => Error;
}

/**
 * The oidc-provider storage for models of one kind: by the hash of their id, which is the secret of codes, tokens and
 * sessions, and in the portal's time (decision 111).
 * @param request that is being answered
 * @param refuse thrown where something is used a second time at the same moment
 */
export function modelStore(
  deps: Pick<Deps, 'db' | 'clock' | 'tokens'> & CookieDeps,
  orgCode: string,
  model: string,
  { request, refuse }: Running,
): Adapter {
  const { db, clock } = deps;
  const isOfPerson = model === 'Session' || model === 'Grant';
  const isToken = model === 'RefreshToken' || model === 'AccessToken';
  // What clients sign is judged by the time that they are told, and so it is remembered by that, however the lab moves
  // its own clock meanwhile.
  const now = (): number => (model === 'ReplayDetection' ? clock.told() : clock.now());
  const keyOf = (id: string) => ({ orgCode, model, idHash: hashSecret(id) });

  function readable(row: oidcModelRepo.OidcModelRow | undefined, id?: string): AdapterPayload | undefined {
    // A device is told that its code has expired, and so is who enters it.
    if (!row || (row.expiresAt <= now() && model !== 'DeviceCode')) return undefined;
    const sealed = textIn(row.payload, 'deviceCode');
    const deviceCode = sealed === null ? undefined : openCode(db, sealed);
    return {
      ...modelForLibrary(clock, row.payload),
      ...(deviceCode !== undefined && { deviceCode }),
      // Both of its codes are needed whichever one it was found by.
      ...(model === 'DeviceCode' && row.uid !== null && { jti: deviceCode, userCode: openCode(db, row.uid) }),
      exp: expiryForLibrary(now(), row.expiresAt),
      ...(id !== undefined && { jti: id }),
      ...(row.consumedAt !== null && !isRepeatable(row, id) && { consumed: libraryNow() }),
    };
  }

  /**
   * Returns whether a used refresh token may be used again: it was used moments ago, by another tab or by a request
   * whose answer was lost, and its successor has not been used yet.
   */
  function isRepeatable({ consumedAt }: oidcModelRepo.OidcModelRow, id: string | undefined): boolean {
    if (model !== 'RefreshToken' || id === undefined || consumedAt === null) return false;
    if (request()?.oidc.route !== 'token') return false;
    if (clock.now() - consumedAt > LIMITS.refreshReplayGraceSeconds * SECOND) return false;
    const successor = oidcModelRepo.findOidcModel(db, keyOf(successorOf(deps, orgCode, id)));
    return successor === undefined || successor.consumedAt === null;
  }

  /** Returns whether a pushed request was opened in another browser before: only the first one continues with it. */
  function isOfOtherBrowser({ browser }: oidcModelRepo.OidcModelRow): boolean {
    const { oidc, req } = request() ?? {};
    if (model !== 'PushedAuthorizationRequest' || oidc?.route !== 'authorization' || browser === null) return false;
    return browser !== browserOf(deps, req?.headers.cookie);
  }

  function uidOf({ uid }: AdapterPayload): string | null {
    if (isToken) return signInOf();
    return model === 'Session' ? (uid ?? null) : null;
  }

  /** Which sign-in a token that is being made comes from: its code says it, and then each token to the next. */
  function signInOf(): string | null {
    const { AuthorizationCode, DeviceCode, RotatedRefreshToken, RefreshToken } = request()?.oidc.entities ?? {};
    const code = (AuthorizationCode ?? DeviceCode)?.jti;
    if (code !== undefined) return hashSecret(`sign-in ${code}`);
    const presented = (RotatedRefreshToken ?? RefreshToken)?.jti;
    if (presented === undefined) return null;
    const key = { orgCode, model: 'RefreshToken', idHash: hashSecret(presented) };
    return oidcModelRepo.findOidcModel(db, key)?.uid ?? null;
  }

  return {
    async upsert(id, { jti: _secret, exp: _end, consumed: _used, userCode, ...payload }, expiresIn) {
      const deviceCode = model === 'DeviceCode' ? id : payload.deviceCode;
      // Who has signed in, but has not arrived yet.
      const arriving = model === 'Interaction' ? payload.result?.login : undefined;
      const person = isOfPerson ? payload : arriving;
      const row = {
        ...keyOf(id),
        payload: modelForPortal(clock, { ...payload, ...(deviceCode && { deviceCode: sealCode(db, deviceCode) }) }),
        grantId: payload.grantId ?? null,
        uid: userCode ? sealCode(db, userCode) : uidOf(payload),
        clientId: payload.clientId ?? null,
        suid: person?.accountId ?? null,
        zid: person ? textIn(person, 'zid') : null,
        browser: model === 'Session' ? textIn(payload, 'browser') : null,
        expiresAt: now() + (expiresIn === undefined ? ENDLESS_MS : expiresIn * SECOND),
      };
      if (model !== 'ReplayDetection') {
        oidcModelRepo.putOidcModel(db, row, model === 'Session' ? SESSION_SLACK_MS : 0);
      } else if (!oidcModelRepo.claimOidcModel(db, row, now())) throw refuse();
    },

    async find(id) {
      const row = oidcModelRepo.findOidcModel(db, keyOf(id));
      return row && isOfOtherBrowser(row) ? undefined : readable(row, id);
    },

    async findByUid(uid) {
      return readable(oidcModelRepo.findOidcModelByUid(db, { orgCode, model, uid }));
    },

    async findByUserCode(userCode) {
      const row = oidcModelRepo.findOidcModelByUid(db, { orgCode, model, uid: sealCode(db, userCode) });
      return readable(row);
    },

    async consume(id) {
      const key = keyOf(id);
      if (oidcModelRepo.consumeOidcModel(db, key, clock.now())) return;
      const used = oidcModelRepo.findOidcModel(db, key);
      if (used && isRepeatable(used, id)) return;
      // Somebody else has used it since it was read: as with any second use, everything that resulted from it ends.
      if (used?.grantId) oidcModelRepo.deleteOidcModelsOfGrant(db, orgCode, used.grantId);
      throw refuse();
    },

    async destroy(id) {
      // What a refresh token has brought ends with it (RFC 7009 §2.1); what other sign-ins have brought stays.
      const signIn = model === 'RefreshToken' ? oidcModelRepo.findOidcModel(db, keyOf(id))?.uid : null;
      if (signIn) oidcModelRepo.deleteOidcTokens(db, orgCode, signIn);
      oidcModelRepo.deleteOidcModel(db, keyOf(id));
    },

    async revokeByGrantId(grantId) {
      // All sign-ins of a browser to an application share one grant, and one that ends is not the others.
      if (request()?.oidc.route === 'revocation') return;
      oidcModelRepo.deleteOidcModelsOfGrant(db, orgCode, grantId);
    },
  };
}

/**
 * Derives each refresh token from the one that it replaces, so that simultaneous refreshes get the same one and there is
 * one chain, as with the portal's own refresh (decision 011). Call it before the provider's first request.
 */
export function deriveSuccessors(
  deps: Pick<Deps, 'tokens'>,
  orgCode: string,
  { RefreshToken }: Provider,
  request: Running['request'],
): void {
  const { prototype } = RefreshToken;
  const { save } = prototype;
  prototype.save = async function saveAsSuccessor() {
    const replaced = request()?.oidc.entities.RotatedRefreshToken?.jti;
    if (replaced !== undefined) this.jti ||= successorOf(deps, orgCode, replaced);
    return save.call(this);
  };
}

const successorOf = ({ tokens }: Pick<Deps, 'tokens'>, orgCode: string, refreshToken: string): string =>
  tokens.successorOf(`oidc ${orgCode} ${refreshToken}`);

/** Codes of devices are sealed and not hashed: the library wants to read them again. */
const sealCode = (db: Tx, code: string): Sealed => vaultOf(db).seal(CODE_PLACE, code);
const openCode = (db: Tx, sealed: string): string => vaultOf(db).open(CODE_PLACE, sealed as Sealed);
const CODE_PLACE = 'oidc_models code';

/** A text of a model that the library's types do not name; `zid` and `browser` are those of `rememberDevices`. */
function textIn(payload: object, name: 'zid' | 'browser' | 'deviceCode'): string | null {
  const value: unknown = Reflect.get(payload, name);
  return typeof value === 'string' ? value : null;
}
