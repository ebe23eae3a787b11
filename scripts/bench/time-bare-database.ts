import { openDatabase } from '@orchestrate/db';
import { memoryDb } from '@orchestrate/db/testing';
import Sqlite from 'better-sqlite3';
import { type Duration, medianDuration, timed } from './duration.ts';

/** Printed as JSON. */
export interface BareTimes {
  /** Opening and migrating an empty database in memory; the first in its process. */
  opened: Duration;
  /** Opening a copy of a seeded database and reading one row. */
  copied: Duration;
}

const TIMES = 7;

const [, opened] = await timed(() => openDatabase({ file: ':memory:' }).close());

const { raw } = memoryDb({ now: Date.now() });
const image = raw.serialize();
const copies: Duration[] = [];
for (let time = 0; time < TIMES; time += 1) {
  const [copy, took] = await timed(() => {
    const opening = new Sqlite(image);
    opening.prepare('SELECT * FROM members LIMIT 1').get();
    return opening;
  });
  copies.push(took);
  copy.close();
}

const times: BareTimes = { opened, copied: medianDuration(copies) };
console.log(JSON.stringify(times));
