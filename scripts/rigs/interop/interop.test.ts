import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS } from './clients/index.ts';
import type { Outcome } from './foreign-client.ts';
import { FLOWS } from './foreign-client.ts';
import { formatDocument, formatLines } from './report.ts';

const [client] = CLIENTS;
if (!client) throw new Error('CLIENTS is empty.');

/** Returns a page's client tables, as rows of cells. */
const tablesOf = (page: string): string[][][] =>
  page
    .split('\n\n')
    .filter((part) => part.startsWith('| client |'))
    .map((part) =>
      part
        .trim()
        .split('\n')
        .map((line) => line.slice(2, -2).split(' | ')),
    );

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/interoperability.md'), 'utf8');

test('docs/interoperability.md lists exactly the clients and flows of `pnpm interop`', () => {
  const tables = Object.entries(FLOWS).map(([protocol, flows]) => [
    ['client', 'version', ...flows],
    ...CLIENTS.filter((one) => one.protocol === protocol).map(({ title, flows: has }) => [
      title,
      expect.stringMatching(/^(\d|–$)/),
      ...flows.map((flow) =>
        has.some((one) => one === flow) ? expect.stringMatching(/^(passed|failed|cannot|not run)$/) : '–',
      ),
    ]),
  ]);
  const written = tablesOf(PAGE).map(([head, , ...rows]) => [head, ...rows]);
  expect(written).toEqual(tables);
});

test('docs/interoperability.md has correct counts and a reason for every flow that did not pass', () => {
  const cells = tablesOf(PAGE).flatMap((table) => table.flat());
  const count = (word: string) => cells.filter((cell) => cell === word).length;
  const reasons =
    PAGE.split('## Reasons')[1]
      ?.split('\n')
      .filter((line) => line.startsWith('- ')) ?? [];
  expect(reasons).toHaveLength(count('failed') + count('cannot') + count('not run'));
  expect(PAGE).toContain(
    `${count('passed')} flows passed, ${count('failed')} failed, ${count('cannot')} cannot pass, ${count('not run')} were not run.`,
  );
});

test('counts skipped flows as neither passed nor failed, and prints each reason on one line', () => {
  const outcomes = new Map<string, Outcome>([
    ['sign-in', { result: 'passed' }],
    ['PKCE', { result: 'failed', why: 'two\n\nlines' }],
    ['userinfo', { result: 'not run', why: 'it cannot be had' }],
  ]);
  const result = { client, version: '1.2.3', outcomes };
  expect(formatLines(result)).toBe(
    `${client.title} 1.2.3 (${client.protocol})\n  passed   sign-in\n  failed   PKCE: two\n\nlines\n  not run  userinfo: it cannot be had`,
  );
  const page = formatDocument([result], new Date('2026-03-02T09:30:00.000Z'));
  expect(page).toContain('on 2026-03-02:');
  expect(page).toContain('1 flows passed, 1 failed, 0 cannot pass, 1 were not run.');
  expect(page).toContain(
    `- **${client.title}**, PKCE, failed: two lines\n- **${client.title}**, userinfo, not run: it`,
  );
});
