import { codeOf, contract, MAGIC_VALUES, type MagicValue, resultOf } from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { isLabClosed } from '#platform/http/callers/local-portal.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { implement } from '#platform/http/implement.ts';
import { answerWithFault, pathOf } from '../faults/answer-with-fault.ts';
import type { FaultList } from '../faults/fault-list.ts';
import { interceptRequests } from '../intercept-requests.ts';
import { magicAddress, magicNameOf, requireMagicValue } from './find-magic.ts';

/** Search depth. Covers body fields, lists, and fields of objects in a list. */
const DEPTH = 3;

/** Makes magic addresses trigger their results in any client, for manual testing. Does nothing if the lab is closed. */
export function magic(app: FastifyInstance, deps: Deps, faults: FaultList): void {
  implement(app, deps, contract.readMagic, () => ({ values: MAGIC_VALUES.map(described) }));
  if (isLabClosed(deps.config)) return;

  const concerns = (request: FastifyRequest) => nameIn(request) !== undefined;
  interceptRequests(app, 'preHandler', concerns, async (request, reply) => {
    const pattern = patternOf(request) ?? '';
    const name = nameIn(request);
    if (name === undefined || !pattern.startsWith('/api/') || pattern.startsWith('/api/lab/')) return undefined;
    const { answer } = requireMagicValue(name);
    const path = pathOf(request);
    faults.addFired(
      { match: { path }, answer, times: 1, after: 0 },
      { method: request.method, path },
      deps.clock.iso(),
    );
    return answerWithFault(deps, answer, request, reply);
  });
}

/** Returns the name of the first magic address in a call. */
const nameIn = ({ body, query }: FastifyRequest): string | undefined => magicName(body, DEPTH) ?? magicName(query, 1);

/** Returns the name of the first magic address in a value. */
function magicName(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return magicNameOf(value);
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    const name = magicName(inner, depth - 1);
    if (name !== undefined) return name;
  }
  return undefined;
}

function described({ names, answer: { resultName, status }, meaning }: MagicValue) {
  const addresses = names.map(magicAddress);
  if (!resultName) return { addresses, meaning, ...(status && { status }) };
  return { addresses, meaning, resultCode: codeOf(resultName), resultName, status: resultOf(resultName).status };
}
