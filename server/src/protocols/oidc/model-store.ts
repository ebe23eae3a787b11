import { oidcModelRepo, type Sealed, type Tx, vaultOf } from '@orchestrate/db';
import { DAY, HOUR, SECOND } from '@orchestrate/shared';
import type { Adapter, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import { expiryForLibrary, libraryNow, modelForLibrary, modelForPortal } from './portal-time.ts';

/** Sessions last for weeks and are saved on every request, but not every save need be a write. */
const SESSION_SLACK_MS = HOUR;

/** Lifetime of models to which the library gives no end; no model in use is like that. */
const ENDLESS_MS = 3_650 * DAY;

interface Running {
  underway: Set<string>;
  request: () => KoaContextWithOIDC | undefined;
  refuse: () => Error;
}

/**
 * The oidc-provider storage for models of one kind: by the hash of their id, which is the secret of codes, tokens and
 * sessions, and in the portal's time (decision 111).
 * @param underway refresh tokens whose successor is being made, which the same client may use once more at the same
 * time
 * @param request that is being answered
 * @param refuse thrown where something is used a second time at the same moment
 */
export function modelStore(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  orgCode: string,
  model: string,
  { underway, request, refuse }: Running,
): Adapter {
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
      ...(row.consumedAt !== null && !underway.has(id ?? '') && { consumed: libraryNow() }),
    };
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
      return readable(oidcModelRepo.findOidcModel(db, keyOf(id)), id);
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
      if (oidcModelRepo.consumeOidcModel(db, key, clock.now())) {
        if (model === 'RefreshToken') underway.add(id);
        return;
      }
      if (underway.has(id)) return;
      // Somebody else has used it since it was read: as with any second use, everything that resulted from it ends.
      const grantId = oidcModelRepo.findOidcModel(db, key)?.grantId;
      if (grantId) oidcModelRepo.deleteOidcModelsOfGrant(db, orgCode, grantId);
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

/** Codes of devices are sealed and not hashed: the library wants to read them again. */
const sealCode = (db: Tx, code: string): Sealed => vaultOf(db).seal(CODE_PLACE, code);
const openCode = (db: Tx, sealed: string): string => vaultOf(db).open(CODE_PLACE, sealed as Sealed);
const CODE_PLACE = 'oidc_models code';

/** A text of a model that the library's types do not name; `zid` and `browser` are those of `rememberDevices`. */
function textIn(payload: object, name: 'zid' | 'browser' | 'deviceCode'): string | null {
  const value: unknown = Reflect.get(payload, name);
  return typeof value === 'string' ? value : null;
}
