import { type Duration, medianDuration, timed } from './duration.ts';

/** Printed as JSON. */
export interface InstanceTimes {
  imported: Duration;
  first: Duration;
  next: Duration;
  reset: Duration;
}

const TIMES = 7;

const [{ startPortal }, imported] = await timed(() => import('@orchestrate/server/double'));
const [portal, first] = await timed(() => startPortal());

const resets: Duration[] = [];
for (let time = 0; time < TIMES; time += 1) {
  const [, reset] = await timed(() => portal.reset());
  resets.push(reset);
}
await portal.close();

const nexts: Duration[] = [];
for (let time = 0; time < TIMES; time += 1) {
  const [another, next] = await timed(() => startPortal());
  nexts.push(next);
  await another.close();
}

const times: InstanceTimes = { imported, first, next: medianDuration(nexts), reset: medianDuration(resets) };
console.log(JSON.stringify(times));
