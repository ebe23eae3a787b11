import type { ResultName } from '@orchestrate/shared';
import { resultOf } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, refusalBody } from './refusal.ts';

/** Whatever goes wrong, under `/api` and elsewhere, is answered with the envelope (design contract §1). */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((reason, request, reply) => sendRefusal(request, reply, refusalOf(reason, request)));
}

/** The refusal with its code's HTTP status, unless the rule or the endpoint named another. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply.code(refusal.status ?? resultOf(refusal.result).status).send(refusalBody(refusal, request.id));
}

/** @param reason a Refusal; an error of Fastify's about the request; anything else is a defect, logged and hidden. */
function refusalOf(reason: unknown, request: FastifyRequest): Refusal {
  if (reason instanceof Refusal) return reason;
  const status = statusOf(reason);
  if (status >= 400 && status < 500) return new Refusal(unreadable(status), { status });
  request.log.error(reason, 'defect');
  return new Refusal('FAILED', { status: 500 });
}

const statusOf = (reason: unknown): number =>
  reason instanceof Error && 'statusCode' in reason && typeof reason.statusCode === 'number' ? reason.statusCode : 500;

const unreadable = (status: number): ResultName => (status === 404 ? 'ID_DOESNOT_EXIST' : 'BAD_REQUEST');
