import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const tell = `
  process.on('message', () => process.send(process.cpuUsage()));
  process.channel.unref();`;
const stopTimers = `
  const never = { ref: () => never, unref: () => never, refresh: () => never, hasRef: () => false, close: () => never };
  globalThis.setTimeout = globalThis.setInterval = () => never;`;

const loaded = (text: string): string[] => ['--import', `data:text/javascript,${encodeURIComponent(text)}`];

/** Arguments of Node.js for a program, started with `ipc`, that is asked for its processor time. */
export const MEASURED = loaded(tell);
/** As `MEASURED`, with all timers stopped: anything that waits for one waits for ever. */
export const MEASURED_WITHOUT_TIMERS = loaded(tell + stopTimers);

/**
 * The module of a bare server. Its start takes a quarter of a second of processor time on an ordinary machine, so a
 * limit in seconds that is measured against it holds on every machine.
 */
export const BARE_SERVER = `
  import fastify from 'fastify';
  const app = fastify();
  app.get('/health', () => ({}));
  const url = await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
  console.log(JSON.stringify({ url, health: url + '/health' }));`;
export const BARE_SECONDS = 0.25;

/**
 * Milliseconds that such a program has used of the processor. Elapsed time would tell what else the machine does.
 */
export async function ownTimeOf(program: ChildProcess): Promise<number> {
  program.send('how long?');
  const [{ user, system }] = await once(program, 'message');
  return (user + system) / 1_000;
}
