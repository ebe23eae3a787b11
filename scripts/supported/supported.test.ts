import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scimCredentialsRepo } from '@orchestrate/db';
import { NOT_IMPLEMENTED, UNSUPPORTED_OPERATIONS } from '@orchestrate/server/absent';
import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basicAuthHeader } from '../basic.ts';
import { supportedPage, UNSUPPORTED_SCIM } from './supported-page.ts';

const root = join(import.meta.dirname, '../..');

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

/** Fills a path's parameters with values from the demo. */
const addressOf = (path: string): string =>
  `${portal.url}${path}`.replace(':orgCode', 'acme').replace(':appId', 'travel-desk').replace(':clientId', 'team-wiki');

async function answerTo(method: string, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(addressOf(path), { method, headers, ...(method !== 'GET' && { body: '<not read>' }) });
  return { asked: `${method} ${path}`, status: answer.status, body: await answer.json() };
}

/** Returns the source files that contain a word, excluding tests. */
function sourcesWith(word: string): string[] {
  const folder = join(root, 'server/src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes(`'${word}'`))
    .toSorted();
}

test('acceptance 14: unimplemented operations return 501, and SUPPORTED.md is up to date', async () => {
  for (const { methods, path } of UNSUPPORTED_OPERATIONS) {
    for (const method of [methods].flat()) {
      const error = { error: NOT_IMPLEMENTED, error_description: expect.stringContaining('SUPPORTED.md') };
      expect(await answerTo(method, path)).toEqual({ asked: `${method} ${path}`, status: 501, body: error });
    }
  }
  const { username = '', password = '' } = scimCredentialsRepo.findScimCredentials(portal.deps.db, 'acme') ?? {};
  const authorization = basicAuthHeader(username, password);
  for (const { method, path } of UNSUPPORTED_SCIM) {
    const headers = { authorization, 'content-type': 'application/scim+json' };
    const answer = await fetch(addressOf(path), { method, headers, ...(method === 'POST' && { body: '{}' }) });
    expect([path, answer.status, await answer.json()]).toMatchObject([path, 501, { scimType: 'notImplemented' }]);
  }
  expect(sourcesWith(NOT_IMPLEMENTED)).toEqual(['protocols/absent.ts']);
  expect(sourcesWith('notImplemented')).toEqual(['protocols/scim/answer-scim.ts', 'protocols/scim/scim-error.ts']);

  expect(readFileSync(join(root, 'SUPPORTED.md'), 'utf8'), 'pnpm generate').toBe(await supportedPage(portal));
});
