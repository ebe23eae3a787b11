import { join } from 'node:path';
import { health, listSpaces, makeSpace, restoreSnapshot, SPACES_MAX, takeSnapshot } from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { type Duration, formatDuration, medianDuration } from '../duration.ts';
import { PORTAL, portalEnv, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';

const MAX_SPACE_MS = 50;
const MAX_SPACE_MB = 15;
const MAX_SNAPSHOT_MS = 50;
const SNAPSHOTS = 7;
const MB = 1_000_000;

export const spaces: Row = {
  name: 'spaces',
  title: 'Spaces and snapshots',
  about: `A server with a database file, in its own process. ${SPACES_MAX} spaces with the demo are created one after the other over HTTP, each called once for its
health; the median of the later ones, because the first seeds the rows that the others copy. Memory per space is the growth of the process's resident
memory, divided by the ${SPACES_MAX} spaces. Then snapshots of the demo are taken and restored, medians of
${SNAPSHOTS}. No product offers the same, so there is no comparison.`,
  run: timeSpaces,
};

async function timeSpaces(folder: string): Promise<Measurement[]> {
  const env = portalEnv(join(folder, 'portal.db'));
  const portal = await startProgram(PORTAL, { path: '/api/health', env, log: join(folder, 'log') });
  const call = createPortalCall({ baseUrl: portal.url });

  async function timedThere<Result>(work: () => Promise<Result>): Promise<[Result, Duration]> {
    const before = await portal.usage();
    const began = performance.now();
    const result = await work();
    const wall = performance.now() - began;
    return [result, { wall, cpu: ((await portal.usage()).cpu - before.cpu) / 1_000 }];
  }

  try {
    const restores: Duration[] = [];
    const snapshots: Duration[] = [];
    for (let time = 0; time < SNAPSHOTS; time += 1) {
      const [{ snapshotId }, taken] = await timedThere(() => call(takeSnapshot, { body: undefined }));
      snapshots.push(taken);
      restores.push((await timedThere(() => call(restoreSnapshot, { params: { snapshotId } })))[1]);
    }

    const { rss } = await portal.usage();
    const made: Duration[] = [];
    for (let time = 0; time < SPACES_MAX; time += 1) {
      const [{ url }, duration] = await timedThere(() => call(makeSpace, { body: {} }));
      made.push(duration);
      await createPortalCall({ baseUrl: url.replace('localhost', '127.0.0.1') })(health, {});
    }
    const [first, ...later] = made;
    const { spaces: there } = await call(listSpaces, {});
    if (!first || there.length !== SPACES_MAX) {
      throw new Error(`Expected ${SPACES_MAX} spaces, got ${there.length}.`);
    }
    const each = ((await portal.usage()).rss - rss) / SPACES_MAX / MB;
    return [
      within('a space, after the first', medianDuration(later), MAX_SPACE_MS),
      { what: 'the first space', ours: formatDuration(first) },
      {
        what: `memory per space with ${SPACES_MAX} spaces`,
        ours: `${each.toFixed(1)} MB`,
        target: { words: `≤ ${MAX_SPACE_MB} MB`, isMet: each <= MAX_SPACE_MB },
      },
      within('a snapshot', medianDuration(snapshots), MAX_SNAPSHOT_MS),
      within('restoring it', medianDuration(restores), MAX_SNAPSHOT_MS),
    ];
  } finally {
    await portal.stop();
  }
}

const within = (what: string, duration: Duration, maxMs: number): Measurement => ({
  what,
  ours: formatDuration(duration),
  target: { words: `≤ ${maxMs} ms`, isMet: duration.cpu <= maxMs },
});
