import { openDatabase } from '@orchestrate/db';
import { memoryDb } from '@orchestrate/db/testing';
import { ENDPOINTS } from '@orchestrate/server/testing/contract-entries';
import Sqlite from 'better-sqlite3';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Duration, measureDuration, medianDuration } from './duration.ts';

/** The program's output, as JSON. */
export interface BareTimes {
  /** First portal in its process: opens and migrates an empty in-memory database, and registers the bare routes. */
  first: Duration;
  /** Each later portal: opens a copy of a seeded database, reads one row, and registers the bare routes. */
  next: Duration;
  /** Only opens the copy of the database. */
  copied: Duration;
}

const TIMES = 7;

/** Returns a Fastify server with the contract's routes as stubs, without the protocol routes. */
async function bareRoutes(): Promise<FastifyInstance> {
  const app = Fastify({ pluginTimeout: 0 });
  for (const { method, path } of ENDPOINTS) app.route({ method, url: `/api${path}`, handler: () => ({}) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app;
}

const [app, first] = await measureDuration(async () => {
  openDatabase({ file: ':memory:' }).close();
  return bareRoutes();
});
await app.close();

const { raw } = memoryDb({ now: Date.now() });
const image = raw.serialize();

function openCopy(): Sqlite.Database {
  const copy = new Sqlite(image);
  copy.prepare('SELECT * FROM members LIMIT 1').get();
  return copy;
}

const nexts: Duration[] = [];
const copies: Duration[] = [];
for (let time = 0; time < TIMES; time += 1) {
  const [copy, copied] = await measureDuration(openCopy);
  const [bare, registered] = await measureDuration(bareRoutes);
  copies.push(copied);
  nexts.push({ wall: copied.wall + registered.wall, cpu: copied.cpu + registered.cpu });
  await bare.close();
  copy.close();
}

const times: BareTimes = { first, next: medianDuration(nexts), copied: medianDuration(copies) };
console.log(JSON.stringify(times));
