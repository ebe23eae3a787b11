import { type Duration, measureDuration, medianDuration } from './duration.ts';

/** The program's output, as JSON. */
export interface InstanceTimes {
  imported: Duration;
  first: Duration;
  next: Duration;
  reset: Duration;
  /** Starts the first portal, resets it once and closes it. */
  whole: Duration;
}

const TIMES = 7;
/** Enough resets for the median to exclude the first ones, during which V8 also compiles the WebAssembly of `fetch`. */
const RESETS = 21;

const [{ startPortal }, imported] = await measureDuration(() => import('@orchestrate/server/testing-api'));
const [portal, first] = await measureDuration(() => startPortal());

const resets: Duration[] = [];
for (let time = 0; time < RESETS; time += 1) {
  const [, reset] = await measureDuration(() => portal.reset());
  resets.push(reset);
}
const [, closed] = await measureDuration(() => portal.close());

const nexts: Duration[] = [];
for (let time = 0; time < TIMES; time += 1) {
  const [another, next] = await measureDuration(() => startPortal());
  nexts.push(next);
  await another.close();
}

const whole = [first, ...resets.slice(0, 1), closed].reduce((sum, { wall, cpu }) => ({
  wall: sum.wall + wall,
  cpu: sum.cpu + cpu,
}));
const times: InstanceTimes = { imported, first, next: medianDuration(nexts), reset: medianDuration(resets), whole };
console.log(JSON.stringify(times));
