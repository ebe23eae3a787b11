import { t } from '@lingui/core/macro';
import { addFault, type ListedPerson, makeSession, type ResultName } from '@orchestrate/shared';
import { now } from '#adapters/browser.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { timedFetch } from '#lib/api/timed-fetch.ts';
import { labToken } from '#lib/session/browser-state.ts';
import { addressOf, type RequestInput } from './code-samples.ts';
import type { Operation } from './operations.ts';

/** The result of a request sent from the reference: the response, or why there is none. */
export type TryResult =
  | { problem: string }
  | { status: number; resultCode: number | undefined; resultName: string | undefined; text: string; ms: number };

interface Choice {
  /** The user whose session is used, if any. */
  person: ListedPerson | undefined;
  /** Refusal that the lab should return, or '' for the normal response. */
  wanted: ResultName | '';
}

/** Sends a request from the reference, in a new session if the operation requires one. */
export async function sendRequest(
  operation: Operation,
  parts: Pick<RequestInput, 'params' | 'query' | 'body'>,
  { person, wanted }: Choice,
): Promise<TryResult> {
  const { method, needs } = operation;
  const address = addressOf(operation, parts);
  try {
    const token = person
      ? (await call(makeSession, { body: { email: person.email, org: person.orgCode } })).token
      : needs === 'labToken'
        ? labToken()
        : undefined;
    if (wanted) {
      const [path = ''] = address.split('?');
      await call(addFault, { body: { match: { method, path }, answer: { resultName: wanted }, times: 1 } });
    }
    return await send(method, address, token, parts.body);
  } catch (reason) {
    return {
      problem:
        reason instanceof ApiRefusal
          ? reason.message
          : t`Couldn't reach the portal. Check your connection and try again.`,
    };
  }
}

async function send(method: string, address: string, token: string | undefined, body: unknown): Promise<TryResult> {
  const headers = new Headers({ accept: 'application/json' });
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const started = now();
  const response = await timedFetch(address, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  const ms = now() - started;
  const answer = readJson(text);
  return {
    status: response.status,
    resultCode: typeof answer?.resultCode === 'number' ? answer.resultCode : undefined,
    resultName: typeof answer?.resultName === 'string' ? answer.resultName : undefined,
    text: answer ? JSON.stringify(answer, null, 2) : text,
    ms,
  };
}

/** Parses a JSON object. Returns undefined for anything else. */
function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}
