import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { Refusal } from '#platform/refusal.ts';
import { recordLabAction } from '../record-in-lab.ts';
import type { RequireSnapshot } from '../snapshots.ts';
import { frozenTimeOf, readSeed, seedName } from '../world/read-world.ts';
import { createSpaces, type StartSpace } from './spaces.ts';

/** Registers the routes that manage the portal's spaces. A space can't have spaces itself. */
export function spaces(
  app: FastifyInstance,
  deps: Deps,
  startSpace: StartSpace | undefined,
  requireSnapshot: RequireSnapshot,
): void {
  const manager = startSpace && createSpaces(deps, startSpace);
  app.addHook('preClose', async () => manager?.endAll());

  function requireMain() {
    if (manager) return manager;
    const message = 'This portal is itself a space. Send the request to the portal that started it.';
    throw new Refusal('UNSUPPORTED_ACTION', { message });
  }

  implement(app, deps, contract.makeSpace, async ({ body, actor, isWaiting }) => {
    const { seed: seedInput, from, name, now: given } = body ?? {};
    const main = requireMain();
    const seed = seedInput === undefined ? deps.config.seed : await readSeed(deps, seedInput);
    const now = given ?? (from === undefined ? frozenTimeOf(seed) : undefined);
    const snapshot = from === undefined ? undefined : requireSnapshot(from);
    const frozenAt = now === undefined ? undefined : Date.parse(now);
    const space = await main.start({ seed, snapshot, name, now: frozenAt });
    recordLabAction(deps, actor, 'lab.space-started', {
      spaceId: space.spaceId,
      name: space.name,
      seed: from ?? seedName(seed),
    });
    if (!(await isWaiting())) await main.endUnheard(space.spaceId);
    return space;
  });

  implement(app, deps, contract.listSpaces, () => ({ spaces: requireMain().list() }));

  implement(app, deps, contract.endSpace, async ({ params: { spaceId }, actor }) => {
    await requireMain().end(spaceId);
    recordLabAction(deps, actor, 'lab.space-ended', { spaceId });
    return {};
  });
}
