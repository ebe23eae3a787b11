// Preloaded into a measured program. Reports the program's resource usage to the parent process on request. Written
// in plain JavaScript, because stripping types would cost bare programs time and 25 MB.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Event loop monitor, created when the first stall is requested. */
let delays;

process.on('message', async (question) => {
  if (question === 'heap') return process.send(await heapInUse());
  if (question === 'stall') return process.send(longestStall());
  process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() });
});
process.channel.unref();

/** Returns the heap memory in use after garbage collection, in bytes. */
async function heapInUse() {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let times = 0; times < 3; times += 1) {
    collect();
    // Finalisers run in a separate tick.
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const RESOLUTION_MS = 5;

/** Returns the longest event loop stall since the last call, in milliseconds. */
function longestStall() {
  if (!delays) {
    delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delays.enable();
  }
  const longest = delays.max / 1e6 - RESOLUTION_MS;
  delays.reset();
  return Math.max(longest, 0);
}
