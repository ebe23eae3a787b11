import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { PORTAL, type Program, portalEnv, startProgram } from '../bench/programs.ts';
import {
  connectPortal,
  type Ground,
  type PortalClient,
  type Seen,
  type Write,
  type WriteKind,
} from './portal-client.ts';

export interface ChaosOptions {
  kills: number;
  /** The same seed kills after the same numbers of answers. */
  seed: number;
  /** Called after each kill. */
  onProgress?: (kills: number) => void;
}

export interface ChaosReport {
  kills: number;
  /** Writes that were answered with success. */
  answered: Record<WriteKind, number>;
  /** Writes without an answer, because the portal was killed first: each must be there completely or not at all. */
  cut: { kept: number; gone: number };
  /** Marks of writes that were confirmed, or seen once, and are gone. */
  lost: string[];
  /** Marks of changes without their audit event, and of audit events without their change. */
  half: string[];
  /** Answers other than success. */
  refused: string[];
  /** What SQLite's integrity check reports at the end. */
  damage: string[];
}

/** The concurrent writers. */
const WRITERS: readonly { kind: WriteKind; slot: number }[] = [
  { kind: 'edit', slot: 0 },
  { kind: 'edit', slot: 1 },
  { kind: 'edit', slot: 2 },
  { kind: 'question', slot: 0 },
  { kind: 'question', slot: 0 },
  ...Array.from({ length: 4 }, () => ({ kind: 'person' as const, slot: 0 })),
];
const EDITED = 3;

/**
 * After how many answers the portal is killed, and how many milliseconds later, so that every part of a write gets hit.
 */
const moment = fc.record({ answers: fc.integer({ min: 1, max: 60 }), wait: fc.integer({ min: 0, max: 8 }) });

/** Kills a portal again and again in the middle of writes, and checks everything that it has confirmed as saved. */
export async function runChaos({ kills, seed, onProgress }: ChaosOptions): Promise<ChaosReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-chaos-'));
  const file = join(folder, 'portal.db');
  const report: ChaosReport = {
    kills: 0,
    answered: { edit: 0, question: 0, person: 0 },
    cut: { kept: 0, gone: 0 },
    lost: [],
    half: [],
    refused: [],
    damage: [],
  };
  const start = () => startProgram(PORTAL, { path: '/api/health', env: portalEnv(file), log: join(folder, 'log') });
  const remembered: Write[] = [];
  let portal = await start();
  try {
    let client = await connectPortal(portal.url);
    const ground = await client.prepare(EDITED);
    let marks = 0;
    const nextMark = () => `chaos-${++marks}`;
    for (const { answers, wait } of fc.sample(moment, { numRuns: kills, seed })) {
      const round = await writeUntilKilled({ portal, client, ground, nextMark, answers, wait });
      report.kills += 1;
      for (const { kind } of round.answered) report.answered[kind] += 1;
      report.refused.push(...round.refused);
      portal = await start();
      client = await connectPortal(portal.url);
      remembered.push(...round.answered);
      compare(report, await client.look(ground), remembered, round.cut);
      onProgress?.(report.kills);
    }
  } finally {
    await portal.stop();
  }
  report.damage = damageOf(file);
  rmSync(folder, { recursive: true });
  // A lost write is found again after each kill.
  return { ...report, lost: [...new Set(report.lost)], half: [...new Set(report.half)] };
}

interface Round {
  portal: Program;
  client: PortalClient;
  ground: Ground;
  nextMark: () => string;
  answers: number;
  wait: number;
}

/** Runs all writers at the same time until the portal is killed. */
async function writeUntilKilled({ portal, client, ground, nextMark, answers, wait }: Round) {
  const answered: Write[] = [];
  const cut: Write[] = [];
  const refused: string[] = [];
  const enough = Promise.withResolvers<void>();
  let isOver = false;

  async function keepWriting(writer: (typeof WRITERS)[number]): Promise<void> {
    while (!isOver) {
      const write = { ...writer, mark: nextMark() };
      try {
        const refusal = await client.write(ground, write);
        if (refusal === undefined) answered.push(write);
        else refused.push(refusal);
      } catch {
        cut.push(write);
        isOver = true;
      }
      if (isOver || answered.length + refused.length >= answers) enough.resolve();
    }
  }

  const writing = WRITERS.map(keepWriting);
  await enough.promise;
  await sleep(wait);
  await portal.kill();
  await Promise.all(writing);
  return { answered, cut, refused };
}

/** Unanswered writes that are there completely must stay from now on. */
function compare(report: ChaosReport, seen: Seen, remembered: Write[], cut: readonly Write[]): void {
  for (const write of cut) {
    const { mark, kind, slot } = write;
    const isThere = kind === 'edit' ? seen.names[slot] === mark : seen.things.has(mark);
    if (isThere !== seen.recorded.has(mark)) report.half.push(mark);
    if (isThere) remembered.push(write);
    report.cut[isThere ? 'kept' : 'gone'] += 1;
  }
  const lastEdits = new Map<number, string>();
  for (const { mark, kind, slot } of remembered) {
    if (kind === 'edit') lastEdits.set(slot, mark);
    // After a later edit, only the audit event of an edit remains.
    else if (!seen.things.has(mark)) report.lost.push(mark);
    if (!seen.recorded.has(mark)) report.half.push(mark);
  }
  for (const [slot, mark] of lastEdits) {
    if (seen.names[slot] !== mark) report.lost.push(mark);
  }
}

function damageOf(file: string): string[] {
  const raw = new Sqlite(file, { readonly: true });
  try {
    const check = raw.prepare<[], string>('PRAGMA integrity_check').pluck().all();
    const dangling = raw.prepare<[], string>('SELECT "table" FROM pragma_foreign_key_check').pluck().all();
    return [...check.filter((line) => line !== 'ok'), ...dangling];
  } finally {
    raw.close();
  }
}
