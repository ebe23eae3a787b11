import { copyFileSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { bulkInvite, getProfile, LIMITS, type RefusalBody, type ReplyOf } from '@orchestrate/shared';
import { beside, PORTAL, type Program, portalEnv, runProgram, startProgram } from '../programs.ts';
import { answerOf, authorizationFor } from '../reads-under-load.ts';
import type { Measurement, Row } from '../row.ts';
import { percentile } from '../times-of.ts';
import { writeInviteFile } from '../write-invite-file.ts';

const MB = 2 ** 20;
const FIRST_BYTES = MB;
const MAILED_BYTES = 10 * MB;
const MIN_RATIO = 0.5;
const MAX_GROWTH_BYTES = 64 * MB;
const MAX_STALL_MS = 100;
/** Between two samples of the portal while it reads. */
const LOOK_MS = 50;
/** How long the portal works on an upload at a stretch. */
const TURN_MS = 10;

export const csvInvite: Row = {
  name: 'csv-invite',
  title: 'Inviting the people of a CSV file',
  about: `A file of ${LIMITS.csvUploadBytes / MB} MB uploaded to the portal, all of its people unknown and made members: each row is checked, looked for,
written with its activation code into two tables with all their indexes, and entered into the index of trigrams. Then one of
${MAILED_BYTES / MB} MB that also mails them: two more tables. The bare way reads the same file from disk with csv-parse as a stream and writes
the same rows, 2 000 in a transaction and one prepared INSERT each, into the same tables with the same indexes; nothing is checked,
nobody looked for, nothing sent over HTTP. The other bare way has neither foreign keys nor an index but the primary keys: what is
between the two is the price of finding people again. Once each; ratios of processor time per row. Memory is the resident one of
the portal's process, the highest of a look every ${LOOK_MS} ms: beside that before the upload, after a first file of ${FIRST_BYTES / MB} MB; and beside that
of the portal at rest, which holds no page of its database yet. Somebody else asks for a profile all the while. The bare stall is that
of a loop that computes ${TURN_MS} ms at a time, as the upload does, while the other core runs the bare way: what the machine itself takes away.`,
  run: compareInvites,
};

interface Invited {
  perSecond: number;
  /** Processor time per row. */
  cpuMicroseconds: number;
}

interface Uploaded extends Invited {
  /** Bytes of resident memory. */
  before: number;
  peak: number;
  /** Longest block of the portal's event loop, in milliseconds. */
  stall: number;
  /** Milliseconds that another person waited for an answer during the upload. */
  waits: number[];
}

async function compareInvites(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const inFolder = (name: string) => join(folder, name);
  const database = inFolder('portal.db');
  const seeding = await startProgram(PORTAL, { path: '/api/health', env: portalEnv(database), log });
  await seeding.stop();
  copyFileSync(database, inFolder('seeded.db'));
  for (const [name, bytes] of [
    ['first', FIRST_BYTES],
    ['full', LIMITS.csvUploadBytes],
    ['mailed', MAILED_BYTES],
  ] as const) {
    writeInviteFile(inFolder(name), name, bytes);
  }

  const portal = await startProgram(PORTAL, { path: '/api/health', env: portalEnv(database), log });
  try {
    const authorization = await authorizationFor(portal);
    const ours = (name: string, sendEmail = false) =>
      upload(portal, { authorization, file: inFolder(name), sendEmail });
    const bare = (name: string, env: { SEND_EMAIL?: string; INDEXES: string }) => {
      copyFileSync(inFolder('seeded.db'), inFolder('bare.db'));
      const files = { DATABASE_FILE: inFolder('bare.db'), CSV_FILE: inFolder(name) };
      return runProgram<Invited>(beside('bare/csv-invite.mjs'), { env: { ...files, ...env }, log });
    };
    const first = await ours('first');
    const full = await ours('full');
    const writing = bare('full', { INDEXES: 'all' });
    const machineStall = await longestTurn(writing);
    const indexed = await writing;
    const plain = await bare('full', { INDEXES: 'none' });
    const mailed = await ours('mailed', true);
    const bareMailed = await bare('mailed', { INDEXES: 'all', SEND_EMAIL: 'true' });
    return [
      compared('50 MB, into the same tables', full, indexed, MIN_RATIO),
      compared('50 MB, into tables without an index', full, plain),
      compared('10 MB with mails, into the same tables', mailed, bareMailed, MIN_RATIO),
      grown('memory for 50 MB, after a first file', full.peak - full.before, MAX_GROWTH_BYTES),
      grown('memory for 50 MB, from rest', full.peak - first.before, MAX_GROWTH_BYTES),
      {
        what: 'longest stall of the event loop meanwhile',
        ours: `${Math.round(full.stall)} ms, with mails ${Math.round(mailed.stall)} ms`,
        bare: `${Math.round(machineStall)} ms`,
        target: { words: `≤ ${MAX_STALL_MS} ms`, isMet: Math.max(full.stall, mailed.stall) <= MAX_STALL_MS },
      },
      { what: 'GET profile meanwhile', ours: `${wait(50, full)}, 95th percentile ${wait(95, full)}` },
    ];
  } finally {
    await portal.stop();
  }
}

/** Uploads a file as a browser does, and measures other requests during it. */
async function upload(
  portal: Program,
  { authorization, file, sendEmail }: { authorization: string; file: string; sendEmail: boolean },
): Promise<Uploaded> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ type: 'mobile', sendEmail: String(sendEmail) }))
    form.append(name, value);
  form.append('file', await openAsBlob(file), 'people.csv');
  const before = await portal.usage();
  await portal.stall();
  const began = performance.now();
  const stopped = new AbortController();
  const watching = watch(portal, authorization, stopped.signal);
  const response = await fetch(`${portal.url}/api${bulkInvite.path}`, {
    method: bulkInvite.method,
    headers: { authorization },
    body: form,
  });
  const answer: ReplyOf<typeof bulkInvite> & Partial<RefusalBody> = JSON.parse(await response.text());
  const seconds = (performance.now() - began) / 1_000;
  stopped.abort();
  const { rss, waits } = await watching;
  const stall = await portal.stall();
  const after = await portal.usage();
  const { rows, created } = answer;
  if (answer.resultCode !== 0 || rows !== created)
    throw new Error(`${file} was not read: ${JSON.stringify(answer).slice(0, 500)}`);
  return {
    perSecond: rows / seconds,
    cpuMicroseconds: (after.cpu - before.cpu) / rows,
    before: before.rss,
    peak: Math.max(after.rss, ...rss),
    waits,
    stall,
  };
}

/** Requests a profile and the memory at intervals until it is stopped. */
async function watch(portal: Program, authorization: string, stopped: AbortSignal) {
  const seen = { rss: [] as number[], waits: [] as number[] };
  while (!stopped.aborted) {
    const began = performance.now();
    await answerOf(portal, { path: `/api${getProfile.path}`, authorization });
    seen.waits.push(performance.now() - began);
    seen.rss.push((await portal.usage()).rss);
    await delay(LOOK_MS);
  }
  return seen;
}

/** Computes in turns until something is done. @returns milliseconds of the longest turn, by wall clock. */
async function longestTurn(until: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  until.then(done, done);
  let longest = 0;
  while (!isDone) {
    const began = performance.now();
    const used = process.threadCpuUsage();
    for (let spent = 0; spent < TURN_MS * 1_000; ) {
      for (let step = 0; step < 10_000; step += 1) Math.sqrt(step);
      const { user, system } = process.threadCpuUsage(used);
      spent = user + system;
    }
    longest = Math.max(longest, performance.now() - began);
    await setImmediate();
  }
  return longest;
}

function compared(what: string, ours: Invited, bare: Invited, minRatio?: number): Measurement {
  const ratio = bare.cpuMicroseconds / ours.cpuMicroseconds;
  const target = minRatio === undefined ? undefined : { words: `≥ ${minRatio}`, isMet: ratio >= minRatio };
  return { what, ours: worded(ours), bare: worded(bare), ratio, ...(target && { target }) };
}

function grown(what: string, bytes: number, maxBytes?: number): Measurement {
  const inMB = (size: number) => `${Math.round(size / MB)} MB`;
  const target = maxBytes === undefined ? undefined : { words: `≤ ${inMB(maxBytes)}`, isMet: bytes <= maxBytes };
  return { what, ours: inMB(bytes), ...(target && { target }) };
}

const wait = (percent: number, { waits }: Uploaded): string => `${Math.round(percentile(percent, waits))} ms`;

const worded = ({ perSecond, cpuMicroseconds }: Invited): string =>
  `${Math.round(perSecond).toLocaleString('en').replaceAll(',', ' ')} rows/s, ${cpuMicroseconds.toFixed(1)} µs each`;
