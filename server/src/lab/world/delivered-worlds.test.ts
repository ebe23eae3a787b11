import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { World } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { startPortal } from '#testing-api/index.ts';

/** Demo world exported by the first version that supported worlds. */
const FILE = join(import.meta.dirname, 'fixtures', 'world-of-2026-11-23.json.gz');

// The world format is only ever extended, so that users' existing world files stay valid (decision 165).
test('starts from a world exported by an earlier version and exports it unchanged', async () => {
  const fixture: World = JSON.parse(gunzipSync(readFileSync(FILE)).toString());
  await using portal = await startPortal({ seed: fixture });
  expect(await portal.world()).toMatchObject(fixture);
  expect((await portal.session({ email: 'user@acme.test' })).profile.email).toBe('user@acme.test');
});
