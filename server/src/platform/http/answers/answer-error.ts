import { type Language, type RefusalBody, resultOf } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { Refusal, refusalBody } from '../../refusal.ts';
import { languageOf } from '../../words/language.ts';
import { toGerman } from '../../words/translate.ts';
import { bodyTooLargeRefusal } from '../requests/bound-body.ts';
import { ContractBroken } from './contract-broken.ts';
import { sendJson } from './send-json.ts';
import { storageRefusal } from './storage-refusal.ts';

/** Responds to every error with the envelope (contract §3), under `/api` and on all other paths. */
export function answerErrors(app: FastifyInstance, deps: Deps): void {
  app.setErrorHandler((reason, request, reply) => answerError(deps, reason, request, reply));
}

/**
 * Sends the error response to a failed request. Call it directly only if the request failed before reaching a route.
 */
export function answerError(deps: Deps, reason: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { id, ws: isUpgrade } = request;
  const refusal = refusalOf(deps, reason, request);
  const status = refusal.status ?? resultOf(refusal.result).status;
  // Some refusals use HTTP 200, which isn't a valid response to a refused upgrade, so send 409.
  reply.code(isUpgrade && status === 200 ? 409 : status);
  if (isUpgrade) refuseUpgrade(reply, refusal);
  if (refusal.retryAfterSeconds !== undefined && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', refusal.retryAfterSeconds);
  }
  const language = languageOf(request);
  return sendJson(deps, reply, JSON.stringify(inLanguage(refusalBody(refusal, id), language)), language);
}

function inLanguage(body: RefusalBody, language: Language): RefusalBody {
  if (language === 'en') return body;
  const issues = body.issues?.map((issue) => ({ ...issue, message: toGerman(issue.message) }));
  return { ...body, message: toGerman(body.message), ...(issues && { issues }) };
}

/** Closes the connection after the response and puts the result name in the status line. */
function refuseUpgrade(reply: FastifyReply, { result }: Refusal): void {
  reply.raw.statusMessage = result;
  reply.header('connection', 'close');
}

/**
 * Converts an error to a refusal.
 * @param reason a Refusal, a Fastify request error or a storage error. Any other error is a defect: it is logged and
 * its details are hidden, except for a broken contract outside production.
 */
export function refusalOf(
  { log, config }: Deps,
  reason: unknown,
  { id: reqId, routeOptions }: FastifyRequest,
): Refusal {
  if (reason instanceof Refusal) return reason;
  const status = statusOf(reason);
  // Fastify responds with 403 if a folder of the client's files is requested.
  if (status === 403 || status === 404) return new Refusal('ID_DOESNOT_EXIST');
  if (codeOf(reason) === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLargeRefusal(routeOptions.bodyLimit);
  if (status >= 400 && status < 500) return new Refusal('BAD_REQUEST', { status, message: UNREADABLE[codeOf(reason)] });
  const unsaved = storageRefusal(reason);
  log.error({ err: reason, reqId }, unsaved ? unsaved.message : 'defect');
  if (unsaved) return unsaved;
  // A contract error contains field names but no values, and it helps the portal's developers.
  const isShown = reason instanceof ContractBroken && !config.isProduction;
  return new Refusal('FAILED', { status: 500, ...(isShown && { message: reason.message }) });
}

/** Messages for unreadable request bodies, by Fastify error code. For uploads, see `uploads.ts`. */
const UNREADABLE: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send the body as JSON with the header content-type: application/json.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
};

const codeOf = (reason: unknown): string =>
  reason instanceof Error && 'code' in reason && typeof reason.code === 'string' ? reason.code : '';

const statusOf = (reason: unknown): number =>
  reason instanceof Error && 'statusCode' in reason && typeof reason.statusCode === 'number' ? reason.statusCode : 500;
