import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMeanings } from './read-meanings.ts';

const root = join(import.meta.dirname, '../..');

test('the meanings in the reference are the comments of the contract', () => {
  const recorded = readFileSync(join(root, 'server/src/features/reference/meanings.json'), 'utf8');
  expect(JSON.parse(recorded), 'pnpm generate').toEqual(readMeanings(root));
});
