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

/** Groups come with their members. */
const ANSWER_MAX_BYTES = 4_194_304;
/** RFC 7644 §3.1. */
const SCIM_TYPE = 'application/scim+json';

/** A SCIM service of somebody else. */
export interface Service {
  /** Without a slash at its end. */
  url: string;
  /** The `Authorization` header, if any. */
  authorization: string | undefined;
}

export interface ServiceRequest {
  method: string;
  /** Below the service's address. */
  path: string;
  /** JSON. */
  body?: string | undefined;
  timeoutMs: number;
}

/** What came back; no `body` where it is not JSON, or too large to be read. */
export interface ServiceAnswer {
  status: number;
  body: unknown;
  text: string;
  isTooLarge: boolean;
  retryAfter: string | undefined;
  durationMs: number;
}

/** Nothing came back, and why. */
export interface NoAnswer {
  reason: unknown;
  isTooLate: boolean;
  durationMs: number;
}

/** Sends one request to a SCIM service. No redirect is followed; it never throws, whatever the answer. */
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

/** Undefined where it is too large, which says nothing of the service as a whole. */
async function readUnlessTooLarge(answer: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return await readBounded(answer, ANSWER_MAX_BYTES);
  } catch (reason) {
    if (reason instanceof OutsideRefused) return undefined;
    throw reason;
  }
}

/** The header for a token, or for a name and a password (RFC 6750 §2.1, RFC 7617 §2). */
export const bearer = (token: string): string => `Bearer ${token}`;
export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
