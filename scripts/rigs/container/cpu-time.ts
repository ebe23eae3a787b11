import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const tell = `
  process.on('message', () => process.send(process.cpuUsage()));
  process.channel.unref();`;
const stopTimers = `
  const never = { ref: () => never, unref: () => never, refresh: () => never, hasRef: () => false, close: () => never };
  globalThis.setTimeout = globalThis.setInterval = () => never;`;

const loaded = (text: string): string[] => ['--import', `data:text/javascript,${encodeURIComponent(text)}`];

/** Arguments for Node.js that let a program, started with `ipc`, report its processor time. */
export const MEASURED = loaded(tell);
/** Like `MEASURED`, with all timers stopped: code that waits for a timer never continues. */
export const MEASURED_WITHOUT_TIMERS = loaded(tell + stopTimers);

/**
 * Module of a bare server. Its start takes BARE_SECONDS of processor time on an ordinary machine, so a limit in seconds
 * can be converted to any machine's speed.
 */
export const BARE_SERVER = `
  import fastify from 'fastify';
  const app = fastify();
  app.get('/health', () => ({}));
  const url = await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
  console.log(JSON.stringify({ url, health: url + '/health' }));`;
export const BARE_SECONDS = 0.25;

/**
 * Returns the program's processor time in milliseconds. Wall-clock time would depend on other load.
 */
export async function cpuTimeOf(program: ChildProcess): Promise<number> {
  program.send('how long?');
  const [{ user, system }] = await once(program, 'message');
  return (user + system) / 1_000;
}
