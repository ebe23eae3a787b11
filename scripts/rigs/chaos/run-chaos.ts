import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { PORTAL_ENTRY, type Program, portalEnv, startProgram } from '../bench/programs.ts';
import {
  connectPortal,
  type Fixtures,
  type ObservedState,
  type PortalClient,
  type Write,
  type WriteKind,
} from './portal-client.ts';

export interface ChaosOptions {
  kills: number;
  /** Random seed. The same seed kills after the same numbers of responses. */
  seed: number;
  /** Called after each kill. */
  onProgress?: (kills: number) => void;
}

export interface ChaosReport {
  kills: number;
  /** Number of confirmed writes, by kind. */
  answered: Record<WriteKind, number>;
  /**
   * Number of writes without a response, because the portal was killed first. Each write must exist completely or not
   * at all.
   */
  cut: { kept: number; gone: number };
  /** Marks of missing writes that had been confirmed or observed before. */
  lost: string[];
  /** Marks of changes without an audit event, and of audit events without a change. */
  half: string[];
  refused: string[];
  /** Findings of the final SQLite integrity check. */
  damage: string[];
}

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
 * When to kill the portal: after this many responses, plus a delay in milliseconds. The delay makes kills hit every
 * stage of a write.
 */
const moment = fc.record({ answers: fc.integer({ min: 1, max: 60 }), wait: fc.integer({ min: 0, max: 8 }) });

/** Repeatedly kills a portal during writes, and checks every confirmed write. */
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
  const start = () =>
    startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(file), log: join(folder, 'log') });
  const remembered: Write[] = [];
  let portal = await start();
  try {
    let client = await connectPortal(portal.url);
    const fixtures = await client.prepare(EDITED);
    let marks = 0;
    const nextMark = () => `chaos-${++marks}`;
    for (const { answers, wait } of fc.sample(moment, { numRuns: kills, seed })) {
      const round = await writeUntilKilled({ portal, client, fixtures, nextMark, answers, wait });
      report.kills += 1;
      for (const { kind } of round.answered) report.answered[kind] += 1;
      report.refused.push(...round.refused);
      portal = await start();
      client = await connectPortal(portal.url);
      remembered.push(...round.answered);
      compare(report, await client.read(fixtures), remembered, round.cut);
      onProgress?.(report.kills);
    }
  } finally {
    await portal.stop();
  }
  report.damage = damageOf(file);
  rmSync(folder, { recursive: true });
  // A lost write is reported again after each later kill, so remove duplicates.
  return { ...report, lost: [...new Set(report.lost)], half: [...new Set(report.half)] };
}

interface Round {
  portal: Program;
  client: PortalClient;
  fixtures: Fixtures;
  nextMark: () => string;
  answers: number;
  wait: number;
}

/** Runs all writers concurrently until the portal is killed. */
async function writeUntilKilled({ portal, client, fixtures, nextMark, answers, wait }: Round) {
  const answered: Write[] = [];
  const cut: Write[] = [];
  const refused: string[] = [];
  const enough = Promise.withResolvers<void>();
  let isOver = false;

  async function keepWriting(writer: (typeof WRITERS)[number]): Promise<void> {
    while (!isOver) {
      const write = { ...writer, mark: nextMark() };
      try {
        const refusal = await client.write(fixtures, write);
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

/** Compares the observed state with the writes. Once an unconfirmed write exists completely, it must persist. */
function compare(report: ChaosReport, seen: ObservedState, remembered: Write[], cut: readonly Write[]): void {
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
    // A later edit overwrites the name, so only the last edit's name is checked below.
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
