import { randomUUID } from 'node:crypto';
import { COMMON_REFUSALS, codeOf, type EndpointDefinition, type ResultName, readJson } from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { callOwnApi } from '#platform/http/own-call.ts';
import { Refusal } from '#platform/refusal.ts';

const OWN = 'x-lab-own';
/** Random per process, so clients can't forge the header. */
const secret = randomUUID();

/** Headers that mark the lab's own calls to the portal. Faults ignore these calls, and the journal omits them. */
export const INTERNAL_CALL_HEADERS = { [OWN]: secret, 'user-agent': 'Lab of the portal' };

export const isInternalCall = ({ headers }: FastifyRequest): boolean => headers[OWN] === secret;

/**
 * Calls the portal's own API for the lab and returns the response fields. Any other outcome, e.g. a response from a
 * fault, becomes FAILED with an explanation.
 */
export async function callPortalApi(
  app: FastifyInstance,
  { method, path }: EndpointDefinition,
  payload?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const answered = await callOwnApi(app, { method, url: `/api${path}`, headers, ...(payload && { payload }) });
  const fields = fieldsOf(answered && readJson(answered.body));
  if (Number.isInteger(fields.resultCode)) return fields;
  const received = answered
    ? `HTTP ${answered.statusCode}, which isn't one of the portal's own responses`
    : 'no response';
  const message = `The lab called ${method} /api${path} and got ${received}. GET /api/lab/faults lists the faults that have fired.`;
  return { resultCode: codeOf('FAILED'), resultName: 'FAILED', message };
}

/** Converts a refusal to one that the lab endpoint declares. Undeclared refusals become FAILED. */
export function refusalOf(entry: EndpointDefinition, name: ResultName, message: string): Refusal {
  const isDeclared = entry.refuses?.includes(name) || COMMON_REFUSALS.includes(name);
  return isDeclared ? new Refusal(name, { message }) : new Refusal('FAILED', { message: `${name}: ${message}` });
}
