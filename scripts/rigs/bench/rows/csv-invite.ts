import { copyFileSync, openAsBlob, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { bulkInvite, getProfile, LIMITS, type RefusalBody, type ReplyOf } from '@orchestrate/shared';
import { PORTAL_ENTRY, type Program, portalEnv, runProgram, scriptPath, startProgram } from '../programs.ts';
import { adminAuthorization, fetchJson } from '../reads-under-load.ts';
import { atLeast, atMost, type Measurement, type Row } from '../row.ts';
import { percentile } from '../time-requests.ts';

const FIRST = 'Olivia James Marta Henry Amelia Oliver Thomas Emily Samuel Harriet Zofia Lukas'.split(' ');
const LAST = 'Bennett Walker Hughes Clarke Foster Brooks Hayes Palmer Reid Sutton Hofmann'.split(' ');
const HEADER = 'email,firstName,lastName,employeeId\n';

/** Writes a CSV file of at most `bytes` with new people. `mark` makes each file's people unique. */
function writeInviteFile(path: string, mark: string, bytes: number): void {
  const rows = [HEADER];
  let length = HEADER.length;
  for (let number = 0; ; number += 1) {
    const row = rowOf(number, mark);
    if (length + row.length > bytes) break;
    rows.push(row);
    length += row.length;
  }
  writeFileSync(path, rows.join(''));
}

function rowOf(number: number, mark: string): string {
  // A large step keeps adjacent people from sharing a name.
  const firstName = FIRST[(number * 5) % FIRST.length] ?? '';
  const lastName = LAST[(number * 4 + Math.floor(number / 11)) % LAST.length] ?? '';
  return `${firstName}.${lastName}.${number}.${mark}@acme.test,${firstName},${lastName},${mark}-${number}\n`.toLowerCase();
}

const MB = 2 ** 20;
const FIRST_BYTES = MB;
const MAILED_BYTES = 10 * MB;
const MIN_RATIO = 0.5;
const MAX_GROWTH_BYTES = 64 * MB;
const MAX_STALL_MS = 100;
/** Interval between samples of the portal during the upload, in milliseconds. */
const LOOK_MS = 50;
/** Time slice that the portal spends on an upload before it yields, in milliseconds. */
const TURN_MS = 10;

export const csvInvite: Row = {
  name: 'csv-invite',
  title: 'CSV invitations',
  about: `Uploads a file of ${LIMITS.csvUploadBytes / MB} MB in which all people are new. Each row creates a member: the row is validated, looked up,
written with its activation code into two tables with all their indexes, and added to the trigram index. Then a file of
${MAILED_BYTES / MB} MB whose people also get an email, which takes two more tables. The bare variant streams the same file from disk with csv-parse and writes
the same rows into the same tables with the same indexes, 2 000 per transaction with one prepared INSERT each; it validates
nothing, looks up no members and uses no HTTP. The second bare variant has no foreign keys and only the primary keys as indexes: the
difference between the two is the cost of making people searchable. One run each; ratios of processor time per row. Memory is the peak resident memory of
the portal's process, sampled every ${LOOK_MS} ms: compared with the memory before the upload but after a first file of ${FIRST_BYTES / MB} MB, and with the
portal at rest, before it has read a page of its database. Another user requests a profile throughout. The bare stall is measured in
a loop that computes ${TURN_MS} ms at a time, as the upload does, while the other core runs the bare variant: it shows what the machine itself adds.`,
  run: compareInvites,
};

interface Invited {
  perSecond: number;
  /** Processor time per row, in microseconds. */
  cpuMicroseconds: number;
}

interface Uploaded extends Invited {
  /** Resident memory before the upload, in bytes. */
  before: number;
  peak: number;
  /** Longest stall of the portal's event loop, in milliseconds. */
  stall: number;
  /** Response times of another user's requests during the upload, in milliseconds. */
  waits: number[];
}

async function compareInvites(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const inFolder = (name: string) => join(folder, name);
  const database = inFolder('portal.db');
  const seeding = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(database), log });
  await seeding.stop();
  copyFileSync(database, inFolder('seeded.db'));
  for (const [name, bytes] of [
    ['first', FIRST_BYTES],
    ['full', LIMITS.csvUploadBytes],
    ['mailed', MAILED_BYTES],
  ] as const) {
    writeInviteFile(inFolder(name), name, bytes);
  }

  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(database), log });
  try {
    const authorization = await adminAuthorization(portal);
    const ours = (name: string, sendEmail = false) =>
      upload(portal, { authorization, file: inFolder(name), sendEmail });
    const bare = (name: string, env: { SEND_EMAIL?: string; INDEXES: string }) => {
      copyFileSync(inFolder('seeded.db'), inFolder('bare.db'));
      const files = { DATABASE_FILE: inFolder('bare.db'), CSV_FILE: inFolder(name) };
      return runProgram<Invited>(scriptPath('bare/csv-invite.mjs'), { env: { ...files, ...env }, log });
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
      compared('10 MB with emails, into the same tables', mailed, bareMailed, MIN_RATIO),
      grown('memory for 50 MB, after a first file', full.peak - full.before, MAX_GROWTH_BYTES),
      grown('memory for 50 MB, from rest', full.peak - first.before, MAX_GROWTH_BYTES),
      {
        what: 'longest stall of the event loop',
        ours: `${Math.round(full.stall)} ms, with emails ${Math.round(mailed.stall)} ms`,
        bare: `${Math.round(machineStall)} ms`,
        ...atMost(MAX_STALL_MS, [Math.max(full.stall, mailed.stall)], 'ms'),
      },
      { what: 'GET profile during the upload', ours: `${wait(50, full)}, 95th percentile ${wait(95, full)}` },
    ];
  } finally {
    await portal.stop();
  }
}

/** Uploads a file as a browser does, and measures other requests meanwhile. */
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
    throw new Error(`The portal rejected ${file}: ${JSON.stringify(answer).slice(0, 500)}`);
  return {
    perSecond: rows / seconds,
    cpuMicroseconds: (after.cpu - before.cpu) / rows,
    before: before.rss,
    peak: Math.max(after.rss, ...rss),
    waits,
    stall,
  };
}

/** Samples memory and the profile's response time until stopped. */
async function watch(portal: Program, authorization: string, stopped: AbortSignal) {
  const seen = { rss: [] as number[], waits: [] as number[] };
  while (!stopped.aborted) {
    const began = performance.now();
    await fetchJson(portal, { path: `/api${getProfile.path}`, authorization });
    seen.waits.push(performance.now() - began);
    seen.rss.push((await portal.usage()).rss);
    await delay(LOOK_MS);
  }
  return seen;
}

/** Computes in slices until `until` settles. @returns the wall-clock time of the longest slice, in milliseconds */
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
  const target = minRatio !== undefined && atLeast(minRatio, [ratio]);
  return { what, ours: formatInvited(ours), bare: formatInvited(bare), ratio, ...target };
}

function grown(what: string, bytes: number, maxBytes: number): Measurement {
  return { what, ours: `${Math.round(bytes / MB)} MB`, ...atMost(maxBytes / MB, [bytes / MB], 'MB') };
}

const wait = (percent: number, { waits }: Uploaded): string => `${Math.round(percentile(percent, waits))} ms`;

const formatInvited = ({ perSecond, cpuMicroseconds }: Invited): string =>
  `${Math.round(perSecond).toLocaleString('en').replaceAll(',', ' ')} rows/s, ${cpuMicroseconds.toFixed(1)} µs each`;
