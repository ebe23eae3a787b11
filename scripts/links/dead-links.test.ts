import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deadLinks } from '../pack.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Pages whose links resolve only in the built package. `scripts/pack/documents.test.ts` checks them. */
const NOT_HERE = /^(?:dist|scripts\/pack\/files)\//;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'links-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('resolves every link to an existing file and heading', () => {
  const pages = globSync('**/*.md', { cwd: ROOT, exclude: (name) => /node_modules$/.test(name) });
  const own = pages.filter((page) => !NOT_HERE.test(page));
  expect(own.length).toBeGreaterThan(50);
  expect(deadLinks(ROOT, own)).toEqual([]);
});

test('lists every decision record once in the index, with its number', () => {
  const folder = join(ROOT, 'docs/decisions');
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  const records = globSync('[0-9]*.md', { cwd: folder }).sort();
  const listed = [...index.matchAll(/^\| \[(\d+)\]\((\S+)\)/gm)].map(([, number = '', file = '']) => ({
    number,
    file,
  }));
  expect(listed.map(({ file }) => file).sort()).toEqual(records);
  expect(listed.filter(({ number, file }) => !file.startsWith(`${number}-`))).toEqual([]);
});

test('finds dead links and ignores links in code', () => {
  writeFileSync(
    join(folder, 'a.md'),
    '# One `two`, three\n\n# Twice\n\n# Twice\n\n[a](#one-two-three) [b](b.md#x) [c](#twice-1) [d](#twice-2) [e](https://x.test) `[f](f.md)`\n<img src="g.png">\n```md\n[h](h.md)\n```\n',
  );
  expect(deadLinks(folder, ['a.md'])).toEqual(['a.md: b.md#x', 'a.md: #twice-2', 'a.md: g.png']);
});
