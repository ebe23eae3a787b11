import { openDatabase } from '@orchestrate/db';
import { memoryDb } from '@orchestrate/db/testing';
import { ENDPOINTS } from '@orchestrate/server/testing/contract-entries';
import Sqlite from 'better-sqlite3';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Duration, medianDuration, timed } from './duration.ts';

/** Printed as JSON. */
export interface BareTimes {
  /** The first in its process: an empty database in memory, opened and migrated, and the bare routes. */
  first: Duration;
  /** Each one after it: a copy of a seeded database, of which one row is read, and the bare routes. */
  next: Duration;
  /** Opening the copy alone. */
  copied: Duration;
}

const TIMES = 7;

/** Fastify with the routes of the contract, none of which does anything, and without those of the protocols. */
async function bareRoutes(): Promise<FastifyInstance> {
  const app = Fastify({ pluginTimeout: 0 });
  for (const { method, path } of ENDPOINTS) app.route({ method, url: `/api${path}`, handler: () => ({}) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app;
}

const [app, first] = await timed(async () => {
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
  const [copy, copied] = await timed(openCopy);
  const [bare, registered] = await timed(bareRoutes);
  copies.push(copied);
  nexts.push({ wall: copied.wall + registered.wall, cpu: copied.cpu + registered.cpu });
  await bare.close();
  copy.close();
}

const times: BareTimes = { first, next: medianDuration(nexts), copied: medianDuration(copies) };
console.log(JSON.stringify(times));
