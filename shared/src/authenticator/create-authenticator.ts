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

/** The portal's time as this device knows it. */
interface PortalClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Learns the time from an answer or message of the portal; ignores anything unreadable. */
  learn(time: string | null): void;
}

// The Date header has whole seconds (RFC 9110 §5.6.7), so a difference of up to this much doesn't count.
const RESOLUTION_MS = 2_000;

/**
 * A clock that follows the portal's: signatures are refused when the clocks differ by more than 60 s, a phone may be
 * set wrong, and the portal's own clock can be moved for a rehearsal. `now` is the device's clock in milliseconds.
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
  /** The device's clock in milliseconds since 1970; the portal's time is learned from its answers. */
  now: () => number;
  fetch?: Fetch;
  WebSocket?: LiveSocketConstructor;
  random?: RandomBytes;
  /** Signs what a registered device sends; by default what every browser can run. */
  sign?: SignEs256;
  /** False leaves a wrong clock uncorrected, so that a test can see it refused. */
  followsPortalClock?: boolean;
}

export type Decision =
  | { challengeId: string; decision: 'approve'; number?: string }
  | { challengeId: string; decision: 'deny'; reason?: DenyReason };

/** `device` is present once the portal has confirmed. `resultCode` says why where it never will. */
export interface PairingProgress {
  resultCode: number;
  status: ReplyOf<typeof pairStatus>['status'];
  device?: DeviceState;
  /** Present with `device` if it is new: until an older device confirms it, it cannot approve changes. */
  confirmation?: Confirmation | undefined;
}

/**
 * What a phone or desktop authenticator can do, over HTTP and one live channel. Every method rejects with an
 * `PortalRefusal` when the portal refuses and with `PortalUnreachable` when it does not answer.
 */
export interface Authenticator {
  /** Registers a new device with an activation code. Keep the result's `device`. */
  activate(request: { orgCode: string; email: string; activationCode: string; device: DeviceDescription }): Promise<{
    resultCode: number;
    device: DeviceState;
    profile: Profile;
    confirmation?: Confirmation | undefined;
  }>;
  /** Connects a new device with a scanned or typed add-device code. */
  pair(request: { orgCode: string; aid: string; device: DeviceDescription }): Promise<Pairing>;
  /** Whether the portal has confirmed a pairing; meant to be polled once a second. */
  pairStatus(pairing: Pairing): Promise<PairingProgress>;
  /** Opens the request behind a scanned or typed code. For a device test that is all: `resultCode` 72. */
  resolve(device: DeviceState, code: string): Promise<{ resultCode: number; challenge: PendingChallenge }>;
  /** Answers a request, once. */
  respond(device: DeviceState, decision: Decision): Promise<{ resultCode: number; endedSignIns?: number | undefined }>;
  /** The requests that are waiting for the person of this device. */
  pending(device: DeviceState): Promise<PendingChallenge[]>;
  /** Follows those requests live; reconnects by itself until stopped. */
  watch(device: DeviceState, listener: WatchListener): Watch;
  /** The portal's time in milliseconds since 1970, as far as it is known: compare `expiresAt` with this. */
  portalNow(): number;
}

/**
 * The device core that the page `/authenticator`, the command line and every test share.
 * @throws TypeError where `baseUrl` or `now` is missing or of another type
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { baseUrl, random = platformRandom, followsPortalClock = true } = options;
  if (typeof options.now !== 'function') throw new TypeError('now is a function that says the time, e.g. Date.now');
  const clock = createPortalClock(options.now);
  const learn = (time: string | null) => {
    if (followsPortalClock) clock.learn(time);
  };
  const call = createPortalCall({ baseUrl, fetch: options.fetch, onDate: learn });

  const claims = (orgCode: string, iat: number) => ({ aud: orgCode, iat, jti: toBase64Url(random(16)) });
  const seconds = () => Math.floor(clock.now() / 1_000);

  // A signature that was refused because this device's clock was wrong is made once more with the portal's time, which
  // came with the refusal. An expired request is refused with the same code, but then the clock needs no correction.
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
