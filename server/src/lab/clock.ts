import { contract, LATEST_CLOCK, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { Refusal } from '#platform/refusal.ts';
import { recordLabAction } from './record-in-lab.ts';

/** Controls the portal's clock. The response is sent after everything that became due has run. */
export function labClock(app: FastifyInstance, deps: Deps): void {
  const { clock } = deps;
  const state = () => ({ now: clock.iso(), mode: clock.mode(), tokens: clock.externalClock() });

  implement(app, deps, contract.readClock, state);

  implement(app, deps, contract.setClock, ({ body, actor }) => {
    const seconds = body.advanceSeconds ?? body.advance;
    if (seconds !== undefined) {
      if (clock.now() + seconds * SECOND > LATEST_CLOCK)
        refuseTooLate(body.advance === undefined ? 'advanceSeconds' : 'advance');
      clock.advance(seconds);
    } else if (body.freezeAt !== undefined) clock.freeze(Date.parse(body.freezeAt));
    else if (body.mode === 'frozen') clock.freeze(clock.now());
    else if (body.mode) clock.release();
    if (body.tokens) clock.setExternalClock(body.tokens);
    recordLabAction(deps, actor, 'lab.clock-set', state());
    return state();
  });
}

function refuseTooLate(path: string): never {
  const message = 'The clock cannot be set beyond 2200';
  throw new Refusal('INVALID_REQUEST', { message, issues: [{ path, message }] });
}
