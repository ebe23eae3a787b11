import type { IncomingMessage, ServerResponse } from 'node:http';
import { SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { machineTicks } from '../../adapters/clock.ts';
import { Refusal, refusalBody } from '../../refusal.ts';

/** Number of checks within the time limit. */
const LOOKS = 12;

/**
 * Minimum average upload rate, in bytes per second, equal to 50 MB in two hours. Uploads may take longer than other
 * requests.
 */
const UPLOAD_LEAST_RATE = 8_192;

/**
 * Returns the check interval and the maximum age of an incomplete body, in milliseconds, chosen so that slow bodies
 * are cut off within `requestSeconds`.
 */
export function arrivalLimits(requestSeconds: number): { interval: number; limit: number } {
  const interval = Math.ceil((requestSeconds * SECOND) / LOOKS);
  return { interval, limit: (LOOKS - 1) * interval };
}

interface Arriving {
  response: ServerResponse;
  /** Start of the request on the monotonic clock, in milliseconds. */
  since: number;
  bytesBefore: number;
  isUpload: boolean;
}

/** Requests whose bodies are still arriving. */
export interface ArrivingBodies {
  /** Applies the upload limit to a request. Call this only after checking that the user is allowed to upload. */
  allowUpload(request: IncomingMessage): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    arriving: ArrivingBodies;
  }
}

/**
 * Closes connections that send a body too slowly. A body must arrive within `requestSeconds`, but an upload only has
 * to keep up the minimum rate. Node's own `requestTimeout` has a single limit for all requests and would abort slow
 * uploads.
 */
export function dropSlowRequests(app: FastifyInstance, { config, log, random }: Deps): void {
  const arriving = new Map<IncomingMessage, Arriving>();
  const { interval, limit } = arrivalLimits(config.requestSeconds);

  function forget(this: IncomingMessage): void {
    arriving.delete(this);
  }

  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request;
    const isEmpty = headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
    if (isEmpty) return;
    arriving.set(request, { response, since: machineTicks(), bytesBefore: socket.bytesRead, isUpload: false });
    request.once('close', forget);
  });

  let expected = machineTicks() + interval;

  function look(): void {
    const now = machineTicks();
    // Subtract the time in which this process was busy or suspended, because it couldn't read any data.
    const delay = Math.max(0, now - expected);
    expected = now + interval;
    for (const [request, known] of arriving) {
      known.since = Math.min(now, known.since + delay);
      // If a request is answered before it has fully arrived, no `end` event removes it, because the rest is never
      // read.
      if (request.complete || request.destroyed) arriving.delete(request);
      else if (isOver(request, known)) hangUp(request, known);
    }
  }

  function isOver({ socket }: IncomingMessage, { since, bytesBefore, isUpload }: Arriving): boolean {
    const late = machineTicks() - since - limit;
    const needed = isUpload ? (late / SECOND) * UPLOAD_LEAST_RATE : Number.POSITIVE_INFINITY;
    return late > 0 && socket.bytesRead - bytesBefore < needed;
  }

  function hangUp(request: IncomingMessage, { response }: Arriving): void {
    const { socket } = request;
    const requestId = random.id();
    arriving.delete(request);
    log.warn({ reqId: requestId, ip: socket.remoteAddress }, 'a request took too long to arrive');
    if (!response.headersSent) socket.write(tooSlowResponse(requestId));
    socket.destroySoon();
  }

  const timer = setInterval(look, interval).unref();
  app.addHook('preClose', async () => clearInterval(timer));
  app.decorate('arriving', {
    allowUpload(request) {
      const known = arriving.get(request);
      if (known) known.isUpload = true;
    },
  });
}

/** RFC 9110 §15.5.9. */
export const tooSlowResponse = (requestId: string): string =>
  rawResponse(
    '408 Request Timeout',
    new Refusal('BAD_REQUEST', { status: 408, message: 'The request took too long to arrive.' }),
    requestId,
  );

/** Returns a refusal as a raw HTTP response, for a connection without a usable reply object. */
export function rawResponse(status: `${number} ${string}`, refusal: Refusal, requestId: string): string {
  const body = JSON.stringify(refusalBody(refusal, requestId));
  return [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
