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

/** The portal's time as estimated by this device. */
interface PortalClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Adjusts to the time in an answer or message of the portal; ignores unreadable times. */
  learn(time: string | null): void;
}

// The Date header has whole seconds (RFC 9110 §5.6.7), so a difference of up to this much doesn't count.
const RESOLUTION_MS = 2_000;

/**
 * Creates a clock that follows the portal's: signatures are refused when the clocks differ by more than 60 s, phones
 * can be set wrong, and the lab can move the portal's clock. `now` is the device's clock in milliseconds.
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
  /** Origin of the portal, e.g. `http://localhost:3000`. */
  baseUrl: string;
  /** The device's clock in milliseconds since 1970; the portal's time is derived from its answers. */
  now: () => number;
  fetch?: Fetch;
  WebSocket?: LiveSocketConstructor;
  random?: RandomBytes;
  /** Signs a registered device's calls; the default works in every browser. */
  sign?: SignEs256;
  /** False leaves a wrong clock uncorrected, so that a test can see the refusal. */
  followsPortalClock?: boolean;
}

export type Decision =
  | { challengeId: string; decision: 'approve'; number?: string }
  | { challengeId: string; decision: 'deny'; reason?: DenyReason };

/** `device` is present once the portal has confirmed. `resultCode` explains a pairing that failed. */
export interface PairingProgress {
  resultCode: number;
  status: ReplyOf<typeof pairStatus>['status'];
  device?: DeviceState;
  /** Present with `device` if it is new: until an older device confirms it, it cannot approve changes. */
  confirmation?: Confirmation | undefined;
}

/**
 * Operations of a phone or desktop authenticator, over HTTP and one live channel. Every method rejects with a
 * `PortalRefusal` if the portal refuses, and with `PortalUnreachable` if it doesn't answer.
 */
export interface Authenticator {
  /** Registers a new device with an activation code. Store the result's `device`. */
  activate(request: { orgCode: string; email: string; activationCode: string; device: DeviceDescription }): Promise<{
    resultCode: number;
    device: DeviceState;
    profile: Profile;
    confirmation?: Confirmation | undefined;
  }>;
  /** Connects a new device with a scanned or typed add-device code. */
  pair(request: { orgCode: string; aid: string; device: DeviceDescription }): Promise<Pairing>;
  /** Returns the state of a pairing; poll it once a second. */
  pairStatus(pairing: Pairing): Promise<PairingProgress>;
  /** Opens the request behind a scanned or typed code. This completes a device test: `resultCode` 72. */
  resolve(device: DeviceState, code: string): Promise<{ resultCode: number; challenge: PendingChallenge }>;
  /** Answers a request, once. */
  respond(device: DeviceState, decision: Decision): Promise<{ resultCode: number; endedSignIns?: number | undefined }>;
  /** Lists the requests that wait for this device's owner. */
  pending(device: DeviceState): Promise<PendingChallenge[]>;
  /** Follows those requests live; reconnects automatically until stopped. */
  watch(device: DeviceState, listener: WatchListener): Watch;
  /** Returns the portal's time in milliseconds since 1970, as far as known: compare `expiresAt` with it. */
  portalNow(): number;
}

/**
 * Creates the device core that the page `/authenticator`, the command line and all tests share.
 * @throws TypeError if `baseUrl` or `now` is missing or has another type
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

  // A call that was refused because this device's clock was wrong is signed again with the portal's time, which came
  // with the refusal. An expired request is refused with the same code, but then the clock needs no correction.
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
