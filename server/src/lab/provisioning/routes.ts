import { isDeepStrictEqual } from 'node:util';
import { contract, type ProvisioningStep } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Deps } from '#deps.ts';
import { requireOutsideAddress } from '#platform/adapters/fetch-outside.ts';
import type { OutsidePolicy } from '#platform/adapters/outside-connection.ts';
import { implement } from '#platform/http/implement.ts';
import { askService, basic, bearer, type NoResponse, type Service } from '#protocols/scim/client/ask-service.ts';
import { recordLabAction } from '../record-in-lab.ts';
import { PROVISIONING_SCRIPTS, type ScriptedStep } from './scripts.ts';

type Json = z.core.util.JSONType;

const TIMEOUT_MS = 5_000;

/**
 * Sends the steps to a service in sequence. Stops at a step that needs an ID if the service hasn't assigned one.
 * Doesn't follow redirects.
 */
async function replay(
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
    const answer = await askService(policy, service, { method, path, body, timeoutMs: TIMEOUT_MS });
    if ('reason' in answer) {
      const differs = [{ field: 'status', expected: statuses.join(' or '), actual: whyNot(answer) }];
      steps.push({ name, method, path, status: null, ok: false, differs });
      continue;
    }
    const received = (answer.body ?? null) as Json;
    if (method === 'POST') id = idIn(received);
    const isExpected = statuses.includes(answer.status);
    const differs = [
      ...(isExpected ? [] : [{ field: 'status', expected: statuses.join(' or '), actual: answer.status }]),
      ...(isExpected && contains !== undefined ? differing(contains, received) : []),
      ...(method === 'POST' && isExpected && id === undefined
        ? [{ field: 'id', expected: 'an id', actual: null }]
        : []),
    ];
    steps.push({ name, method, path, status: answer.status, ok: differs.length === 0, differs });
  }
  return steps;
}

/**
 * Explains a missing response in detail. The details are safe to disclose, because lab users may inspect their own
 * machine.
 */
const whyNot = ({ reason, isTooLate }: NoResponse): string => {
  if (isTooLate) return `no response within ${TIMEOUT_MS / 1_000} s`;
  return reason instanceof Error ? reason.message : 'no response';
};

function idIn(body: Json): string | undefined {
  const { id } = isObject(body) ? body : {};
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns the path at which a value differs from the expected value. Additional fields are ignored. */
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

/** Simulates a directory that provisions a SCIM service under test. */
export function provisioning(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.replayProvisioning, async ({ body, actor }) => {
    const { dialect, email, token, username, password = '' } = body;
    const { href } = requireOutsideAddress(deps.outsidePolicy, body.url, 'url');
    const service = { url: href.replace(/\/+$/, ''), authorization: authorizationOf(token, username, password) };
    const steps = await replay(deps.outsidePolicy, service, PROVISIONING_SCRIPTS[dialect](email));
    const ok = steps.every((step) => step.ok);
    recordLabAction(deps, actor, 'lab.provisioning-replayed', { dialect, url: href, ok });
    return { ok, steps };
  });
}

function authorizationOf(token: string | undefined, username: string | undefined, password: string) {
  if (token !== undefined) return bearer(token);
  if (username === undefined) return undefined;
  return basic(username, password);
}
