import type { challengeRepo } from '@orchestrate/db';
import {
  contract,
  type DenyReason,
  type EndpointDefinition,
  type PhoneAnswer,
  type PhoneLie,
  resultNameOf,
  resultOf,
  SECOND,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { signWithNode, thumbprintOf } from '#platform/adapters/secrets.ts';
import { lazily } from '#platform/cache.ts';
import { callPortalApi } from '../call-portal-api.ts';
import { type Phone, requireLostPhone } from './find-phone.ts';

/** How a simulated phone responds to a request. */
export interface PhoneResponse {
  answer: 'approve' | 'deny';
  reason?: DenyReason | undefined;
  number?: 'right' | 'wrong' | undefined;
  lie?: PhoneLie | undefined;
}

/** Signing code shared with all authenticators, loaded on first use because it includes elliptic-curve code. */
const authenticators = lazily(() => import('@orchestrate/shared/authenticator'));

/** Clock error of a phone that lies about the time, in seconds. */
const OFF_SECONDS = 600;

/**
 * Responds to a request as a phone, with signed commands and the endpoints that every authenticator uses. Opens the
 * code first if necessary.
 * @param headers headers for all calls
 * @returns the portal's response to the last call
 */
export async function answerAsPhone(
  app: FastifyInstance,
  deps: Deps,
  phone: Phone,
  challenge: challengeRepo.ChallengeRow,
  { answer, reason, number = 'right', lie }: PhoneResponse,
  headers: Headers = {},
): Promise<PhoneAnswer> {
  const honest = createSender(app, deps, phone, headers);
  // Look up the lost device first. If there is no lost device, no code must be opened.
  const liar = lie === 'lost-device' ? requireLostPhone(deps, phone.device.orgCode) : phone;
  const opened = await openCodeAsPhone(app, deps, phone, challenge, headers);
  // Opening the code completes a device test, so no response follows.
  if (opened && (opened.resultCode !== 0 || challenge.kind === 'test')) return opened;
  const chosen = number === 'right' ? challenge.matchNumber : wrongNumber(challenge);
  const command = {
    challengeId: challenge.id,
    decision: answer,
    ...(answer === 'approve' && chosen !== null && { number: chosen }),
    ...(answer === 'deny' && reason && { reason }),
  };
  if (!lie) return honest(contract.respond, command);
  return createSender(app, deps, liar, headers, lie)(contract.respond, command);
}

/** Opens a code like a phone that scans it. Returns undefined if there is no code to open. */
export async function openCodeAsPhone(
  app: FastifyInstance,
  deps: Deps,
  phone: Phone,
  { qid, did, zid, mode }: challengeRepo.ChallengeRow,
  headers: Headers = {},
): Promise<PhoneAnswer | undefined> {
  const code = qid ?? did;
  if (zid !== null || mode === 'PUSH' || code === null) return undefined;
  return createSender(app, deps, phone, headers)(contract.resolve, { code });
}

/** Returns one of the number choices that doesn't match the browser. */
const wrongNumber = ({ matchNumber, numberChoices }: challengeRepo.ChallengeRow): string | null =>
  matchNumber && (numberChoices?.find((choice) => choice !== matchNumber) ?? '00');

type Headers = Readonly<Record<string, string>>;
type Send = (entry: EndpointDefinition, command: object) => Promise<PhoneAnswer>;

/** Returns a function that sends a device's signed commands to the portal's HTTP API. */
function createSender(
  app: FastifyInstance,
  deps: Deps,
  { device, privateKey }: Phone,
  headers: Headers,
  lie?: PhoneLie,
): Send {
  const { orgCode } = device;

  async function post(entry: EndpointDefinition, body: object): Promise<PhoneAnswer> {
    const { resultCode, resultName, message } = await callPortalApi(app, entry, body, headers);
    const name = resultNameOf(Number(resultCode)) ?? 'FAILED';
    return {
      resultCode: Number(resultCode),
      resultName: typeof resultName === 'string' ? resultName : name,
      message: typeof message === 'string' ? message : resultOf(name).sentence,
    };
  }

  return async (entry, command) => {
    const { createDeviceKey, signDeviceJws } = await authenticators();
    const jti = deps.random.id();
    const skew = lie === 'old' ? -OFF_SECONDS : lie === 'future' ? OFF_SECONDS : 0;
    const key = lie === 'wrong-key' ? createDeviceKey() : privateKey;
    const claims = {
      aud: lie === 'other-audience' ? `${orgCode}-other` : orgCode,
      iat: Math.floor(deps.clock.now() / SECOND) + skew,
      jti,
      jkt: thumbprintOf(key),
      ...command,
    };
    const zid = lie === 'unknown-device' ? deps.random.id() : device.zid;
    const jws = signDeviceJws(claims, key, zid, signWithNode);
    // Use up the JWS in a harmless call first.
    if (lie === 'replay') await post(contract.pending, { zid, jws });
    return post(entry, {
      zid,
      jws: lie === 'altered' ? withOtherClaims(jws, { ...claims, jti: deps.random.id() }) : jws,
    });
  };
}

/** Replaces the payload of a signed compact JWS. */
function withOtherClaims(jws: string, claims: object): string {
  const [header, , signature] = jws.split('.');
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}
