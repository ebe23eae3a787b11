import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TITLE_MAX = 90;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sources = globSync('{shared,db,server,web,scripts,examples}/**/*.{ts,tsx,mjs}', {
  cwd: ROOT,
  exclude: (path) => /node_modules|(?:^|\/)dist$/.test(path),
});
const isTest = (path: string) => /\.(?:test|spec|journey)\.tsx?$/.test(path);

interface Finding {
  at: string;
  text: string;
}

function matchesIn(path: string, pattern: RegExp): Finding[] {
  const text = read(path);
  return [...text.matchAll(pattern)].map((match) => ({
    at: `${path}:${text.slice(0, match.index).split('\n').length}`,
    text: match.slice(1).find((group) => group !== undefined) ?? '',
  }));
}

/** UI strings extracted from the client's macros. */
const clientTexts = globSync('web/src/**/words/en.po', { cwd: ROOT }).flatMap((path) =>
  [...read(path).matchAll(/^msgid ((?:"[^\n]*"\n?)+)/gm)].flatMap(([, lines = '']) => {
    const text = [...lines.matchAll(/"(.*)"/g)].map(([, part = '']) => part).join('');
    return text === '' ? [] : { at: path, text };
  }),
);
/** Server and contract strings. `scripts/words` checks that these files are complete. */
const serverTexts = ['server/src/platform/words/german.json', 'shared/src/words/german.json'].flatMap((path) =>
  Object.keys(JSON.parse(read(path))).map((text) => ({ at: path, text })),
);
const uiTexts: Finding[] = [...clientTexts, ...serverTexts];

/** Messages of thrown errors. */
const errorTexts = sources
  .filter((path) => !isTest(path))
  .flatMap((path) =>
    matchesIn(path, /\bnew [A-Z]\w*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g),
  );

const having = (pattern: RegExp) => uiTexts.filter(({ text }) => pattern.test(text));

const exportedNames = sources.flatMap((path) =>
  matchesIn(
    path,
    /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm,
  ),
);
/** Splits identifiers such as `toldByPhone` and `TOLD_TIME` into words. */
const wordsOf = (name: string) => name.split(/_|(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase());

/** Matches titles in single quotes, double quotes or backticks, including after a `test.each` table. */
const TITLE =
  /(?:\b(?:test|describe)(?:\.\w+)*(?:\([^()\n]*\))?\(|^ *\]?[^\n]*\)\()\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/gm;
const titles = sources.filter(isTest).flatMap((path) => matchesIn(path, TITLE));

test('finds UI strings, names and test titles', () => {
  expect(clientTexts.length).toBeGreaterThan(1_000);
  expect(serverTexts.length).toBeGreaterThan(200);
  expect(exportedNames.length).toBeGreaterThan(1_000);
  expect(titles.length).toBeGreaterThan(1_000);
});

test('rejects exported names with told, said, kept, asked or begun', () => {
  const verbs = new Set(['told', 'said', 'kept', 'asked', 'begun']);
  expect(exportedNames.filter(({ text }) => wordsOf(text).some((word) => verbs.has(word)))).toEqual([]);
});

test('rejects UI strings with somebody, nobody or everybody', () => {
  // Allow “everybody means”: there, `everybody` is the name of a lab query parameter.
  expect(having(/\b(?:some|no|every)body\b(?! means\b)/i)).toEqual([]);
});

test('rejects “is no” in UI strings and error messages', () => {
  expect(
    [...uiTexts, ...errorTexts].filter(({ text }) => /(?<!there )\bis no\b(?! longer| more\b)/i.test(text)),
  ).toEqual([]);
});

test('rejects UI strings with “at once” or “by itself”', () => {
  expect(having(/\b(?:at once|by itself)\b/i)).toEqual([]);
});

test(`limits test titles to ${TITLE_MAX} characters`, () => {
  expect(titles.filter(({ text }) => text.length > TITLE_MAX)).toEqual([]);
});
