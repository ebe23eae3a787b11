import type { IncomingMessage } from 'node:http';
import { readJson } from '@orchestrate/shared';
import { machineTicks } from '#platform/adapters/clock.ts';
import {
  type OutsidePolicy,
  OutsideRefused,
  parseOutside,
  readBounded,
  requestOutside,
} from '#platform/adapters/outside-connection.ts';

/** Maximum response size, in bytes. Groups include their members. */
const ANSWER_MAX_BYTES = 4_194_304;
/** RFC 7644 §3.1. */
const SCIM_TYPE = 'application/scim+json';

/** A third-party SCIM service. */
export interface Service {
  /** Base URL without a trailing slash. */
  url: string;
  /** Value of the `Authorization` header, if any. */
  authorization: string | undefined;
}

export interface ServiceRequest {
  method: string;
  /** Path relative to the service URL. */
  path: string;
  /** JSON-encoded body. */
  body?: string | undefined;
  timeoutMs: number;
}

/** A response, without `body` if the body isn't JSON or is too large. */
export interface ServiceResponse {
  status: number;
  body: unknown;
  text: string;
  isTooLarge: boolean;
  retryAfter: string | undefined;
  durationMs: number;
}

/** Why the service didn't respond. */
export interface NoResponse {
  reason: unknown;
  isTooLate: boolean;
  durationMs: number;
}

/** Sends one request to a SCIM service without following redirects. Never throws. */
export async function askService(
  policy: OutsidePolicy,
  { url, authorization }: Service,
  { method, path, body, timeoutMs }: ServiceRequest,
): Promise<ServiceResponse | NoResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const began = machineTicks();
  const took = () => Math.round(machineTicks() - began);
  try {
    const answer = await requestOutside(policy, parseOutside(policy, `${url}${path}`), {
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

/**
 * Reads the response body. Returns undefined if it is too large, which doesn't mean that the service as a whole is
 * failing.
 */
async function readUnlessTooLarge(answer: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return await readBounded(answer, ANSWER_MAX_BYTES);
  } catch (reason) {
    if (reason instanceof OutsideRefused) return undefined;
    throw reason;
  }
}

/**
 * Returns the `Authorization` header for a token (RFC 6750 §2.1). For a name and password, see `basic` (RFC 7617 §2).
 */
export const bearer = (token: string): string => `Bearer ${token}`;
export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
