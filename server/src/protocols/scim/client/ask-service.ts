import type { IncomingMessage } from 'node:http';
import { readJson } from '@orchestrate/shared';
import { machineTicks } from '#platform/adapters/clock.ts';
import {
  askOutside,
  type OutsidePolicy,
  OutsideRefused,
  parseOutside,
  readBounded,
} from '#platform/adapters/outside-connection.ts';

/** Maximum size of a response; groups come with their members. */
const ANSWER_MAX_BYTES = 4_194_304;
/** RFC 7644 §3.1. */
const SCIM_TYPE = 'application/scim+json';

/** A third-party SCIM service. */
export interface Service {
  /** Base URL without a trailing slash. */
  url: string;
  /** The `Authorization` header, if any. */
  authorization: string | undefined;
}

export interface ServiceRequest {
  method: string;
  /** Path below the service's URL. */
  path: string;
  /** Body as JSON. */
  body?: string | undefined;
  timeoutMs: number;
}

/** A response; without `body` if it isn't JSON or is too large. */
export interface ServiceAnswer {
  status: number;
  body: unknown;
  text: string;
  isTooLarge: boolean;
  retryAfter: string | undefined;
  durationMs: number;
}

/** The reason why there is no response. */
export interface NoAnswer {
  reason: unknown;
  isTooLate: boolean;
  durationMs: number;
}

/** Sends one request to a SCIM service without following redirects. Never throws. */
export async function askService(
  policy: OutsidePolicy,
  { url, authorization }: Service,
  { method, path, body, timeoutMs }: ServiceRequest,
): Promise<ServiceAnswer | NoAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const began = machineTicks();
  const took = () => Math.round(machineTicks() - began);
  try {
    const answer = await askOutside(policy, parseOutside(policy, `${url}${path}`), {
      method,
      headers: {
        accept: SCIM_TYPE,
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && {
          'content-type': `${SCIM_TYPE}; charset=utf-8`,
          'content-length': String(Buffer.byteLength(body)),
        }),
      },
      body,
      signal,
    });
    const text = (await readUnlessTooLarge(answer))?.toString() ?? null;
    return {
      status: answer.statusCode ?? 0,
      body: readJson(text),
      text: text ?? '',
      isTooLarge: text === null,
      retryAfter: answer.headers['retry-after'],
      durationMs: took(),
    };
  } catch (reason) {
    return { reason, isTooLate: signal.aborted, durationMs: took() };
  }
}

/** Returns undefined if the response is too large, which isn't a failure of the service as a whole. */
async function readUnlessTooLarge(answer: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return await readBounded(answer, ANSWER_MAX_BYTES);
  } catch (reason) {
    if (reason instanceof OutsideRefused) return undefined;
    throw reason;
  }
}

/** Returns the header for a token (RFC 6750 §2.1) or for a name and a password (RFC 7617 §2). */
export const bearer = (token: string): string => `Bearer ${token}`;
export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
