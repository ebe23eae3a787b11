import type { webhookRepo } from '@orchestrate/db';
import { HOUR, SECOND, type WrongSignature } from '@orchestrate/shared';
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

/** How the lab changes a delivery. */
export interface DeliveryChanges {
  signature?: WrongSignature | undefined;
  /** True to send the same request twice. The first response decides the result. */
  isDuplicated?: boolean;
  /** True if the event never happened. */
  isForged?: boolean;
}

type Delivery = Pick<webhookRepo.DeliveryRow, 'id' | 'orgCode' | 'webhookId' | 'type' | 'payload' | 'attempts'>;

/**
 * Attempts one delivery, signed according to Standard Webhooks 1.0.0, without following redirects, and records it in
 * the lab's journal. Never throws.
 */
export async function attemptDelivery(
  deps: Deps,
  webhook: webhookRepo.WebhookRow,
  delivery: Delivery,
  { signature, isDuplicated = false, isForged = false }: DeliveryChanges = {},
): Promise<Attempt> {
  const { id, orgCode, webhookId, type, payload, attempts } = delivery;
  const request = await signedRequest(deps, webhook, delivery, signature);
  const attempt = await send();
  if (isDuplicated) await send();
  return attempt;

  async function send(): Promise<Attempt> {
    const ended = await post(deps, webhook.url, request);
    deps.journal.record({
      kind: 'webhook',
      ...{ orgCode, webhookId, deliveryId: id, event: type, attempt: attempts, url: webhook.url },
      ...{ status: ended.responseStatus ?? 0, error: ended.error, ms: ended.durationMs ?? 0 },
      ...{ signature, isForged, payload },
    });
    return ended;
  }
}

interface SignedRequest {
  headers: Record<string, string>;
  body: string;
}

/** Time shift of the flaws `old` and `future`, in milliseconds. Receivers tolerate only minutes. */
const WRONG_TIME_MS = HOUR;

/** Returns a delivery's request. A wrong signature is wrong in exactly one respect. */
async function signedRequest(
  { clock, random }: Deps,
  webhook: webhookRepo.WebhookRow,
  { id, payload }: Delivery,
  wrong: WrongSignature | undefined,
): Promise<SignedRequest> {
  // Loaded only if there are webhooks.
  const { Webhook } = await import('standardwebhooks');
  const shift = wrong === 'old' ? -WRONG_TIME_MS : wrong === 'future' ? WRONG_TIME_MS : 0;
  const now = clock.toExternalTime() + shift;
  const isOldValid = webhook.oldSecret !== null && (webhook.oldSecretUntil ?? 0) > clock.now();
  const right = [webhook.secret, ...(isOldValid && webhook.oldSecret ? [webhook.oldSecret] : [])];
  const secrets = wrong === 'wrong-secret' ? [Buffer.from(random.secret()).toString('base64')] : right;
  const signed = secrets.map((secret) => new Webhook(secret).sign(id, new Date(now), payload)).join(' ');
  // A trailing space doesn't change the meaning of JSON, but it invalidates the signature.
  const body = wrong === 'altered' ? `${payload} ` : payload;
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / SECOND)),
      ...(wrong !== 'missing' && { 'webhook-signature': signed }),
    },
  };
}

async function post({ outsidePolicy, clock }: Deps, url: string, { headers, body }: SignedRequest): Promise<Attempt> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const began = machineTicks();
  const took = () => Math.round(machineTicks() - began);
  try {
    const to = parseOutside(outsidePolicy, url);
    const answer = await requestOutside(outsidePolicy, to, { method: 'POST', headers, body, signal });
    const responseBody = await beginningOf(answer);
    const responseStatus = answer.statusCode ?? 0;
    const retryAfterMs = BUSY_STATUSES.includes(responseStatus)
      ? readRetryAfter(answer.headers['retry-after'], clock.toExternalTime())
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
