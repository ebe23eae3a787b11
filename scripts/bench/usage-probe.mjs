// Loaded before a program that is measured: tells whoever started it what it has used so far. The same in every program,
// and plain JavaScript, because stripping types would cost a program that has none time and 25 MB.
process.on('message', async (question) => {
  if (question === 'heap') return process.send(await heapInUse());
  process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() });
});
process.channel.unref();

/** What is still in use once everything that nobody needs has been collected. */
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
