// Loaded before a program that is measured: tells its parent process what it has used so far. The same in every
// program, and plain JavaScript, because stripping types would cost a program that has none time and 25 MB.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Measures the longest block of the event loop; created by the first question. */
let delays;

process.on('message', async (question) => {
  if (question === 'heap') return process.send(await heapInUse());
  if (question === 'stall') return process.send(longestStall());
  process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() });
});
process.channel.unref();

/** Bytes in use after garbage collection. */
async function heapInUse() {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let times = 0; times < 3; times += 1) {
    collect();
    // Finalisers run in a turn of their own.
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const RESOLUTION_MS = 5;

/** Milliseconds since the last such question. */
function longestStall() {
  if (!delays) {
    delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delays.enable();
  }
  const longest = delays.max / 1e6 - RESOLUTION_MS;
  delays.reset();
  return Math.max(longest, 0);
}
