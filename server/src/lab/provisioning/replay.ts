import { isDeepStrictEqual } from 'node:util';
import { type ProvisioningStep, readJson } from '@orchestrate/shared';
import type { z } from 'zod';
import { askOutside, type OutsidePolicy, readBounded } from '../../platform/adapters/outside-connection.ts';
import type { ScriptedStep } from './scripts.ts';

type Json = z.core.util.JSONType;

const TIMEOUT_MS = 5_000;
const ANSWER_MAX_BYTES = 262_144;
/** RFC 7644 §3.1. */
const SCIM_TYPE = 'application/scim+json';

/** A SCIM service that is tried. */
export interface Service {
  /** Without a slash at its end. */
  url: string;
  /** The `Authorization` header, if any. */
  authorization: string | undefined;
}

/**
 * Sends the steps to a service one after another, each once the one before is answered, and ends with the first that
 * needs an id where the service has given none. Redirects are not followed.
 */
export async function replay(
  policy: OutsidePolicy,
  service: Service,
  script: readonly ScriptedStep[],
): Promise<ProvisioningStep[]> {
  const steps: ProvisioningStep[] = [];
  let id: string | undefined;
  for (const scripted of script) {
    const { name, method, statuses, contains } = scripted;
    const text = JSON.stringify([scripted.path, scripted.body ?? null]);
    if (text.includes('{id}') && id === undefined) break;
    const path = scripted.path.replace('{id}', encodeURIComponent(id ?? ''));
    const body = scripted.body === undefined ? undefined : JSON.stringify(scripted.body).replaceAll('{id}', id ?? '');
    const answer = await ask(policy, service, { method, path, body });
    if ('failure' in answer) {
      const differs = [{ field: 'status', expected: statuses.join(' or '), actual: answer.failure }];
      steps.push({ name, method, path, status: null, ok: false, differs });
      continue;
    }
    if (method === 'POST') id = idIn(answer.body);
    const isExpected = statuses.includes(answer.status);
    const differs = [
      ...(isExpected ? [] : [{ field: 'status', expected: statuses.join(' or '), actual: answer.status }]),
      ...(isExpected && contains !== undefined ? differing(contains, answer.body) : []),
      ...(method === 'POST' && isExpected && id === undefined
        ? [{ field: 'id', expected: 'an id', actual: null }]
        : []),
    ];
    steps.push({ name, method, path, status: answer.status, ok: differs.length === 0, differs });
  }
  return steps;
}

type Answer = { status: number; body: Json } | { failure: string };

async function ask(
  policy: OutsidePolicy,
  { url, authorization }: Service,
  { method, path, body }: { method: string; path: string; body: string | undefined },
): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await askOutside(policy, new URL(`${url}${path}`), {
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
    const read = (await readBounded(answer, ANSWER_MAX_BYTES)).toString();
    return { status: answer.statusCode ?? 0, body: (readJson(read) ?? null) as Json };
  } catch (reason) {
    if (signal.aborted) return { failure: `no answer within ${TIMEOUT_MS / 1_000} s` };
    return { failure: reason instanceof Error ? reason.message : 'no answer' };
  }
}

function idIn(body: Json): string | undefined {
  const { id } = isObject(body) ? body : {};
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Where a value lacks what is expected. Further fields are right. */
function differing(expected: Json, actual: Json | undefined, field = ''): ProvisioningStep['differs'] {
  if (isObject(expected)) {
    const parts: Readonly<Record<string, Json>> = isObject(actual) ? actual : {};
    return Object.entries(expected).flatMap(([key, part]) =>
      differing(part, parts[key], field === '' ? key : `${field}.${key}`),
    );
  }
  if (Array.isArray(expected)) {
    const items = Array.isArray(actual) ? actual : [];
    return expected.flatMap((item, index) => differing(item, items[index], `${field}[${index}]`));
  }
  return isDeepStrictEqual(expected, actual) ? [] : [{ field, expected, actual: actual ?? null }];
}

const isObject = (value: unknown): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
