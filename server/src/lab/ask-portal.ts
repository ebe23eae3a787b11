import { randomUUID } from 'node:crypto';
import { COMMON_REFUSALS, codeOf, type EndpointDefinition, type ResultName, readJson } from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { callItself } from '#platform/http/own-call.ts';
import { Refusal } from '#platform/refusal.ts';

const OWN = 'x-lab-own';
/** Random per process, so that clients cannot send it. */
const secret = randomUUID();

/** Headers of the lab's own calls to the portal, which no fault matches and the journal omits. */
export const OWN_HEADERS = { [OWN]: secret, 'user-agent': 'Lab of the portal' };

export const isOwnCall = ({ headers }: FastifyRequest): boolean => headers[OWN] === secret;

/**
 * Calls the portal's own API for the lab, and returns the fields of the response. Anything else, such as a fault's
 * answer, is converted to FAILED with an explanation.
 */
export async function askPortal(
  app: FastifyInstance,
  { method, path }: EndpointDefinition,
  payload?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const answered = await callItself(app, { method, url: `/api${path}`, headers, ...(payload && { payload }) });
  const fields = fieldsOf(answered && readJson(answered.body));
  if (Number.isInteger(fields.resultCode)) return fields;
  const came = answered ? `HTTP ${answered.statusCode}, which isn't a response of the portal` : 'no answer';
  const message = `The lab asked ${method} /api${path} and got ${came}. GET /api/lab/faults lists the faults that have fired.`;
  return { resultCode: codeOf('FAILED'), resultName: 'FAILED', message };
}

/** Converts a refusal of the portal to one that the lab's endpoint declares. */
export function refusalOf(entry: EndpointDefinition, name: ResultName, message: string): Refusal {
  const isDeclared = entry.refuses?.includes(name) || COMMON_REFUSALS.includes(name);
  return isDeclared ? new Refusal(name, { message }) : new Refusal('FAILED', { message: `${name}: ${message}` });
}
