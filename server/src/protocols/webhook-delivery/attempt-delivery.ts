import type { webhookRepo } from '@orchestrate/db';
import { SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { machineTicks } from '#platform/adapters/clock.ts';
import { OutsideRefused, parseOutside, requestOutside } from '#platform/adapters/outside-connection.ts';
import { BUSY_STATUSES, readRetryAfter } from '#platform/live/next-delivery-attempt.ts';

/** The specification recommends 15 to 30 s. */
const TIMEOUT_MS = 15 * SECOND;
/** Maximum number of response bytes to store. */
const SHOWN_BYTES = 1_000;

/** A response, or an `error` if there was no response. */
export interface Attempt
  extends Pick<webhookRepo.DeliveryRow, 'responseStatus' | 'responseBody' | 'durationMs' | 'error'> {
  /** The receiver's Retry-After, in milliseconds; 0 if absent. */
  retryAfterMs: number;
}

/** Returns true if the status is 2xx. */
export const isAccepted = ({ responseStatus }: Attempt): boolean =>
  responseStatus !== null && responseStatus >= 200 && responseStatus <= 299;

/** Attempts one delivery, signed according to Standard Webhooks 1.0.0, without following redirects. Never throws. */
export async function attemptDelivery(
  { outsidePolicy, clock }: Deps,
  webhook: webhookRepo.WebhookRow,
  { id, payload }: webhookRepo.DeliveryRow,
): Promise<Attempt> {
  // Loaded only if there are webhooks.
  const { Webhook } = await import('standardwebhooks');
  const now = clock.toExternalTime();
  const isOldValid = webhook.oldSecret !== null && (webhook.oldSecretUntil ?? 0) > clock.now();
  const secrets = [webhook.secret, ...(isOldValid && webhook.oldSecret ? [webhook.oldSecret] : [])];
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(payload)),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / SECOND)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, new Date(now), payload)).join(' '),
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const began = machineTicks();
  const took = () => Math.round(machineTicks() - began);
  try {
    const answer = await requestOutside(outsidePolicy, parseOutside(outsidePolicy, webhook.url), {
      method: 'POST',
      headers,
      body: payload,
      signal,
    });
    const responseBody = await beginningOf(answer);
    const responseStatus = answer.statusCode ?? 0;
    const retryAfterMs = BUSY_STATUSES.includes(responseStatus)
      ? readRetryAfter(answer.headers['retry-after'], now)
      : 0;
    return { responseStatus, responseBody, durationMs: took(), error: '', retryAfterMs };
  } catch (reason) {
    const error = signal.aborted ? 'No response within 15 seconds' : sentenceOf(reason);
    return { responseStatus: null, responseBody: '', durationMs: took(), error, retryAfterMs: 0 };
  }
}

async function beginningOf(answer: Awaited<ReturnType<typeof requestOutside>>): Promise<string> {
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= SHOWN_BYTES) break;
    }
    return Buffer.concat(chunks).subarray(0, SHOWN_BYTES).toString();
  } finally {
    answer.destroy();
  }
}

/** Explains why there was no response, without revealing what runs on this machine (decision 081). */
const sentenceOf = (reason: unknown): string =>
  reason instanceof OutsideRefused ? reason.message : "Couldn't reach this address";
