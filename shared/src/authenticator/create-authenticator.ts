import {
  activate,
  type DenyReason,
  type DeviceDescription,
  type PendingChallenge,
  pair,
  pairStatus,
  pending,
  resolve,
  respond,
} from '../contract/devices/authenticator.ts';
import type { Confirmation, Profile } from '../contract/models.ts';
import type { EndpointDefinition, InputOf, ReplyOf } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { authenticatorLive } from '../live/authenticator.ts';
import { toBase64Url } from './base64url.ts';
import { signDeviceJws } from './device-jws.ts';
import { createDeviceKey, platformRandom, publicKeyOf, type RandomBytes, type SignEs256 } from './device-key.ts';
import type { DeviceState, Pairing } from './device-state.ts';
import { createPortalCall, type Fetch } from './portal-call.ts';
import { PortalRefusal } from './portal-refusal.ts';
import { type LiveSocketConstructor, type Watch, type WatchListener, watchChallenges } from './watch-challenges.ts';

/** The portal's time, as estimated by this device. */
interface PortalClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Adjusts to the time in a response or message from the portal. Ignores times that can't be parsed. */
  learn(time: string | null): void;
}

// The Date header has whole seconds (RFC 9110 §5.6.7), so differences up to this size are ignored.
const RESOLUTION_MS = 2_000;

/**
 * Creates a clock that follows the portal's clock. Signatures are refused if the clocks differ by more than 60 s,
 * phones can have the wrong time, and the lab can move the portal's clock. `now` is the device's clock in
 * milliseconds.
 */
function createPortalClock(now: () => number): PortalClock {
  let offset = 0;
  return {
    now: () => now() + offset,
    learn(time) {
      const there = Date.parse(time ?? '');
      if (Math.abs(there - (now() + offset)) > RESOLUTION_MS) offset = there - now();
    },
  };
}

export interface AuthenticatorOptions {
  /** Portal origin, e.g. `http://localhost:3000`. */
  baseUrl: string;
  /** The device's clock, in milliseconds since the epoch. The portal's time is derived from its responses. */
  now: () => number;
  fetch?: Fetch;
  WebSocket?: LiveSocketConstructor;
  random?: RandomBytes;
  /** Signs a registered device's calls. The default works in every browser. */
  sign?: SignEs256;
  /** False to leave a wrong clock uncorrected, which lets tests observe the refusal. Default: true. */
  followsPortalClock?: boolean;
}

export type Decision =
  | { challengeId: string; decision: 'approve'; number?: string }
  | { challengeId: string; decision: 'deny'; reason?: DenyReason };

/**
 * State of a pairing. `device` is present once the portal has confirmed the pairing, and `resultCode` explains a
 * failed pairing.
 */
export interface PairingProgress {
  resultCode: number;
  status: ReplyOf<typeof pairStatus>['status'];
  device?: DeviceState;
  /** Present for a new `device`, which can't approve changes until an older device confirms it. */
  confirmation?: Confirmation | undefined;
}

/**
 * Operations of a phone or desktop authenticator, over HTTP and one live channel. Every method rejects with
 * `PortalRefusal` if the portal refuses the call, or with `PortalUnreachable` if there is no response.
 */
export interface Authenticator {
  /** Registers a new device with an activation code. The caller must store the returned `device`. */
  activate(request: { orgCode: string; email: string; activationCode: string; device: DeviceDescription }): Promise<{
    resultCode: number;
    device: DeviceState;
    profile: Profile;
    confirmation?: Confirmation | undefined;
  }>;
  /** Connects a new device with a scanned or typed add-device code. */
  pair(request: { orgCode: string; aid: string; device: DeviceDescription }): Promise<Pairing>;
  /** Returns the state of a pairing. Poll once a second. */
  pairStatus(pairing: Pairing): Promise<PairingProgress>;
  /**
   * Opens the request behind a scanned or typed code. A code for a device test completes the test instead
   * (`resultCode` 72).
   */
  resolve(device: DeviceState, code: string): Promise<{ resultCode: number; challenge: PendingChallenge }>;
  /** Answers a request. Each request can be answered only once. */
  respond(device: DeviceState, decision: Decision): Promise<{ resultCode: number; endedSignIns?: number | undefined }>;
  /** Lists the pending requests for this device's owner. */
  pending(device: DeviceState): Promise<PendingChallenge[]>;
  /** Follows the pending requests live. Reconnects automatically until stopped. */
  watch(device: DeviceState, listener: WatchListener): Watch;
  /** Returns the portal's estimated time, in milliseconds since the epoch, for comparison with `expiresAt`. */
  portalNow(): number;
}

/**
 * Creates the device core shared by the `/authenticator` page, the command line and all tests.
 * @throws TypeError if `baseUrl` or `now` is missing or has the wrong type
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { baseUrl, random = platformRandom, followsPortalClock = true } = options;
  if (typeof options.now !== 'function')
    throw new TypeError('now must be a function that returns the time, e.g. Date.now');
  const clock = createPortalClock(options.now);
  const learn = (time: string | null) => {
    if (followsPortalClock) clock.learn(time);
  };
  const call = createPortalCall({ baseUrl, fetch: options.fetch, onDate: learn });

  const claims = (orgCode: string, iat: number) => ({ aud: orgCode, iat, jti: toBase64Url(random(16)) });
  const seconds = () => Math.floor(clock.now() / 1_000);

  // If a call was refused because this device's clock was wrong, signs it again with the portal's time from the
  // refusal. Expired requests are refused with the same code, but the clock then needs no correction.
  async function signedCall<D extends EndpointDefinition>(
    entry: D,
    inputAt: (iat: number) => InputOf<D>,
  ): Promise<ReplyOf<D>> {
    const iat = seconds();
    try {
      return await call(entry, inputAt(iat));
    } catch (error) {
      const isRefusedForTime = error instanceof PortalRefusal && error.resultName === 'EXPIRED';
      if (!isRefusedForTime || Math.abs(seconds() - iat) < LIMITS.signatureSkewSeconds / 2) throw error;
      return await call(entry, inputAt(seconds()));
    }
  }

  const sign = (device: DeviceState, iat: number, command: object = {}) => ({
    zid: device.zid,
    jws: signDeviceJws({ ...claims(device.orgCode, iat), ...command }, device.privateKeyJwk, device.zid, options.sign),
  });

  const authenticator: Authenticator = {
    async activate({ orgCode, email, activationCode, device }) {
      const key = createDeviceKey(random);
      const { zid, suid, orgName, profile, confirmation, resultCode } = await signedCall(activate, (iat) => {
        const proof = signDeviceJws({ ...claims(orgCode, iat), email }, key);
        return { body: { orgCode, email, activationCode, device, publicKey: publicKeyOf(key), proof } };
      });
      const registered = { zid, suid, orgCode, orgName, ...device, email, privateKeyJwk: key };
      return { resultCode, profile, confirmation, device: registered };
    },

    async pair({ orgCode, aid, device }) {
      const key = createDeviceKey(random);
      const { resultCode: _, ...pairing } = await signedCall(pair, (iat) => {
        const proof = signDeviceJws({ ...claims(orgCode, iat), aid }, key);
        return { body: { orgCode, aid, device, publicKey: publicKeyOf(key), proof } };
      });
      return { ...pairing, orgCode, device, privateKeyJwk: key };
    },

    async pairStatus({ pairingId, orgCode, orgName, device, privateKeyJwk }) {
      const { status, zid, suid, profile, confirmation, resultCode } = await signedCall(pairStatus, (iat) => ({
        body: { pairingId, jws: signDeviceJws({ ...claims(orgCode, iat), pairingId }, privateKeyJwk) },
      }));
      if (status !== 'complete' || zid === undefined) return { resultCode, status };
      const email = profile?.email;
      return {
        resultCode,
        status,
        confirmation,
        device: { zid, suid: suid ?? profile?.suid ?? '', orgCode, orgName, ...device, email, privateKeyJwk },
      };
    },

    async resolve(device, code) {
      return await signedCall(resolve, (iat) => ({ body: sign(device, iat, { code }) }));
    },

    async respond(device, decision) {
      return await signedCall(respond, (iat) => ({ body: sign(device, iat, decision) }));
    },

    async pending(device) {
      const { challenges } = await signedCall(pending, (iat) => ({ body: sign(device, iat) }));
      return challenges;
    },

    watch(device, listener) {
      return watchChallenges(
        {
          url: baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '') + authenticatorLive.path,
          Socket: options.WebSocket ?? WebSocket,
          hello: () => JSON.stringify(sign(device, seconds())),
          pending: () => authenticator.pending(device),
          onTime: learn,
        },
        listener,
      );
    },

    portalNow: () => clock.now(),
  };
  return authenticator;
}
