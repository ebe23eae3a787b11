import { resetDatabase, restoreDatabase } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { implement } from '../platform/http/implement.ts';
import type { KeptState } from '../platform/kept-state.ts';
import { TOPIC } from '../platform/live/bus.ts';
import { otherAddresses } from './addresses/other-addresses.ts';
import { beginWorld } from './begin-world.ts';
import { labClock } from './clock.ts';
import { faults } from './faults/routes.ts';
import { collectServedPaths } from './faults/served-paths.ts';
import { beforeHandlers } from './intercept-requests.ts';
import { journal } from './journal/routes.ts';
import { magic } from './magic/routes.ts';
import { outbox } from './outbox.ts';
import { people } from './people/routes.ts';
import { phones } from './phones/routes.ts';
import { provisioning } from './provisioning/routes.ts';
import { recordInLab } from './record-in-lab.ts';
import { snapshots } from './snapshots.ts';
import { socketFaults } from './sockets/routes.ts';
import { spaces } from './spaces/routes.ts';
import type { StartSpace } from './spaces/spaces.ts';
import { tokens } from './tokens/routes.ts';
import { unknownCalls } from './unknown-calls.ts';
import { worlds } from './world/routes.ts';
import { readSeed, seedName, startOf } from './world/seed-choice.ts';

/** The mock controls (contract §15). Not registered with `LAB=off`. */
export function lab(app: FastifyInstance, deps: Deps, startSpace?: StartSpace): void {
  beforeHandlers(app);
  otherAddresses(app, deps);
  const served = collectServedPaths(app, deps.config);
  journal(app, deps, served);
  const failures = faults(app, deps, served);
  magic(app, deps, failures);
  outbox(app, deps);
  const policies = phones(app, deps);
  socketFaults(app, deps);
  people(app, deps, policies);
  provisioning(app, deps);
  tokens(app, deps);
  labClock(app, deps);
  worlds(app, deps);
  /** Once the data of a snapshot are there: what else it keeps. */
  const beginFrom = (state: KeptState) => {
    policies.clear();
    beginWorld(deps, state.clock);
    failures.replace(state.faults);
    deps.socketFaults.replace(state.socketFaults);
    policies.restore(state.policies);
  };
  spaces(app, deps, startSpace, snapshots(app, deps, { faults: failures, policies, beginFrom }));
  app.addHook('onReady', async () => {
    if (deps.begunFrom) beginFrom(deps.begunFrom);
  });
  const stopListening = deps.bus.listen([TOPIC.reset], () => app.forgetBudgets());
  app.addHook('preClose', async () => stopListening());

  unknownCalls(app, deps);

  implement(app, deps, contract.resetLab, async ({ body, actor }) => {
    const begunFrom = body?.seed === undefined ? deps.begunFrom : null;
    const seed = body?.seed === undefined ? deps.config.seed : await readSeed(deps, body.seed);
    const now = body?.seed === undefined ? undefined : startOf(seed);
    const frozenAt = now === undefined ? undefined : Date.parse(now);
    // First, so that nothing is lost where it cannot be written.
    if (begunFrom) restoreDatabase(deps.db, begunFrom.image);
    else resetDatabase(deps.db, seed, frozenAt ?? deps.clock.startTime());
    failures.clear();
    policies.clear();
    deps.socketFaults.clear();
    deps.journal.clear();
    const start = deps.clock.startSetting();
    if (begunFrom) beginFrom(begunFrom);
    else beginWorld(deps, frozenAt === undefined ? start : { ...start, frozenAt });
    recordInLab(deps, actor, 'lab.reset', { seed: begunFrom ? 'snapshot' : seedName(seed) });
    return {};
  });
}
