import { type ResultName, resultOf } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { Refusal, refusalBody } from './refusal.ts';
import { sendJson } from './send-json.ts';

/** Whatever goes wrong, under `/api` and elsewhere, is answered with the envelope (design contract §1). */
export function answerErrors(app: FastifyInstance, deps: Deps): void {
  app.setErrorHandler((reason, request, reply) => answerError(deps, reason, request, reply));
}

/** For the requests that fail before they find a route; the others come here by `answerErrors`. */
export function answerError(deps: Deps, reason: unknown, { id }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(deps, reason, id);
  reply.code(refusal.status ?? resultOf(refusal.result).status);
  return sendJson(deps, reply, JSON.stringify(refusalBody(refusal, id)));
}

/** @param reason a Refusal; an error of Fastify's about the request; anything else is a defect, logged and hidden. */
function refusalOf({ log }: Deps, reason: unknown, reqId: string): Refusal {
  if (reason instanceof Refusal) return reason;
  const status = statusOf(reason);
  if (status >= 400 && status < 500) return new Refusal(unreadable(status), { status });
  log.error({ err: reason, reqId }, 'defect');
  return new Refusal('FAILED', { status: 500 });
}

const statusOf = (reason: unknown): number =>
  reason instanceof Error && 'statusCode' in reason && typeof reason.statusCode === 'number' ? reason.statusCode : 500;

const unreadable = (status: number): ResultName => (status === 404 ? 'ID_DOESNOT_EXIST' : 'BAD_REQUEST');
