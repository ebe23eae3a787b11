import { resetLab } from '@orchestrate/shared';
import { type Duration, medianDuration, timed } from './duration.ts';

/** Printed as JSON. */
export interface InstanceTimes {
  imported: Duration;
  first: Duration;
  next: Duration;
  reset: Duration;
}

const TIMES = 7;

const [{ testPortal }, imported] = await timed(() => import('@orchestrate/server/testing'));
const [portal, first] = await timed(() => testPortal());

const resets: Duration[] = [];
for (let time = 0; time < TIMES; time += 1) {
  const [, reset] = await timed(() => portal.call(resetLab, { body: {} }));
  resets.push(reset);
}
await portal.close();

const nexts: Duration[] = [];
for (let time = 0; time < TIMES; time += 1) {
  const [another, next] = await timed(() => testPortal());
  nexts.push(next);
  await another.close();
}

const times: InstanceTimes = { imported, first, next: medianDuration(nexts), reset: medianDuration(resets) };
console.log(JSON.stringify(times));
