import { setTimeout as delay } from 'node:timers/promises';
import { contract, type Fault } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { implement } from '../platform/http/implement.ts';
import { Refusal } from '../platform/refusal.ts';
import { recordInLab } from './record-in-lab.ts';

/** A longer list would be a mistake of the caller. */
const FAULTS_MAX = 100;

/** The failures that are set up. */
export interface Faults {
  clear(): void;
}

/** Makes the next calls of chosen endpoints fail before they reach their handlers. */
export function faults(app: FastifyInstance, deps: Deps): Faults {
  let waiting: Fault[] = [];

  function take(method: string, path: string): Fault | undefined {
    const next = waiting.find((fault) => fault.method === method && `/api${fault.path}` === path);
    if (!next) return undefined;
    waiting = waiting.flatMap((fault) => {
      if (fault !== next) return [fault];
      return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
    });
    return next;
  }

  app.addHook('onRequest', async ({ method, url, routeOptions }) => {
    if (waiting.length === 0) return;
    const [path = ''] = url.split('?');
    const fault = take(method, path) ?? take(method, routeOptions.url ?? '');
    if (!fault) return;
    if (fault.delayMs > 0) await delay(fault.delayMs);
    throw new Refusal(fault.status === 401 ? 'UNAUTHORIZED' : 'FAILED', { status: fault.status });
  });

  implement(app, deps, contract.readFaults, () => ({ faults: waiting }));

  implement(app, deps, contract.addFault, ({ body, actor }) => {
    waiting = [...waiting, body].slice(-FAULTS_MAX);
    recordInLab(deps, actor, 'lab.fault-added', body);
    return { faults: waiting };
  });

  const clear = () => {
    waiting = [];
  };

  implement(app, deps, contract.clearFaults, ({ actor }) => {
    clear();
    recordInLab(deps, actor, 'lab.faults-cleared', {});
    return {};
  });

  return { clear };
}
