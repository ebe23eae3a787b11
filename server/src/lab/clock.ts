import { contract, LATEST_CLOCK, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { refuseField } from '#platform/refusal.ts';
import type { Policies } from './phones/policies.ts';
import { recordLabAction } from './record-in-lab.ts';

/** Controls the portal's clock. The response is sent after everything that became due has run, including phones. */
export function labClock(app: FastifyInstance, deps: Deps, policies: Policies): void {
  const { clock } = deps;
  const state = () => ({ now: clock.iso(), mode: clock.mode(), tokens: clock.externalClock() });

  implement(app, deps, contract.readClock, state);

  implement(app, deps, contract.setClock, async ({ body, actor }) => {
    const seconds = body.advanceSeconds ?? body.advance;
    if (seconds !== undefined) {
      if (clock.now() + seconds * SECOND > LATEST_CLOCK)
        refuseTooLate(body.advance === undefined ? 'advanceSeconds' : 'advance');
      await advance(seconds * SECOND);
    } else if (body.freezeAt !== undefined) clock.freeze(Date.parse(body.freezeAt));
    else if (body.mode === 'frozen') clock.freeze(clock.now());
    else if (body.mode) clock.release();
    await policies.settled();
    if (body.tokens) clock.setExternalClock(body.tokens);
    recordLabAction(deps, actor, 'lab.clock-set', state());
    return state();
  });

  /** Advances the clock in steps, one per planned answer of a phone, because at the final time it could be too late. */
  async function advance(span: number): Promise<void> {
    let left = span;
    for (let at = policies.nextAnswer(); at !== undefined; at = policies.nextAnswer()) {
      const step = Math.max(at - clock.now(), 0);
      if (step > left) break;
      clock.advance(step / SECOND);
      left -= step;
      await policies.settled();
    }
    clock.advance(left / SECOND);
  }
}

function refuseTooLate(path: string): never {
  const message = 'The clock cannot be set beyond 2200';
  refuseField(path, message);
}
