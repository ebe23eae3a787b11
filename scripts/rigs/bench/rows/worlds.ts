import { join } from 'node:path';
import { connectPortal } from '@orchestrate/server/testing-api';
import type { World } from '@orchestrate/shared';
import { formatDuration } from '../duration.ts';
import { PORTAL, portalEnv, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';

const CODES = ['initech', 'umbrella', 'hooli'];
const PEOPLE = 5_000;
const MAX_MS = 10_000;

export const worlds: Row = {
  name: 'worlds',
  title: 'Export and import of a world',
  about: `${CODES.length} organisations with ${PEOPLE} people each, who have a role, a manager and a device, as a world: exported from one server and
imported into another, both with a database file and in their own processes. The caller's work in between only counts towards the wall-clock time.
No product offers the same, so there is no comparison.`,
  run: timeWorlds,
};

async function timeWorlds(folder: string): Promise<Measurement[]> {
  const start = (name: string) =>
    startProgram(PORTAL, { path: '/api/health', env: portalEnv(join(folder, `${name}.db`)), log: join(folder, 'log') });
  const [source, empty] = [await start('source'), await start('empty')];
  try {
    const [from, to] = [connectPortal({ url: source.url }), connectPortal({ url: empty.url })];
    await from.reset({ seed: largeWorld() });
    await to.reset({ seed: 'none' });
    const used = async () => (await source.usage()).cpu + (await empty.usage()).cpu;
    const before = await used();
    const began = performance.now();
    await to.reset({ seed: await from.world() });
    const wall = performance.now() - began;
    const duration = { wall, cpu: ((await used()) - before) / 1_000 };
    return [
      {
        what: `${CODES.length} × ${PEOPLE} people`,
        ours: formatDuration(duration),
        target: { words: `≤ ${MAX_MS / 1_000} s`, isMet: duration.cpu <= MAX_MS },
      },
    ];
  } finally {
    await Promise.all([source.stop(), empty.stop()]);
  }
}

const largeWorld = (): World => ({
  randomSeed: 'large',
  organisations: CODES.map((code) => ({
    code,
    branding: { color: '#123456' },
    roles: [{ code: 'LEAD', permissions: ['SEARCH_USER'] }],
    applications: [{ id: 'wiki', oidc: { redirectUris: ['https://wiki.test/'] } }],
    people: Array.from({ length: PEOPLE }, (_, at) => ({
      email: `person${at}@${code}.test`,
      role: at % 50 === 0 ? 'LEAD' : 'USER',
      ...(at > 0 && { manager: `person${Math.floor(at / 10)}@${code}.test` }),
    })),
  })),
});
