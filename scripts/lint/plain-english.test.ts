import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Words that nobody here should write any more, each with what to write instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  'he|him|his|himself|he or she': 'they, their, or the role: member, administrator',
  'whoever|whatsoever': 'anyone who, any',
  anew: 'again',
  'belongs? into': 'belongs in',
  'over and over': 'repeatedly',
  'good for nothing': 'useless',
  'stands? still|standing still': 'is frozen',
  'stands? in the way': 'prevents, is an obstacle',
  'go(?:es)? wrong with': 'fails',
  'takes? hold': 'takes effect',
  'all the same,': 'still, anyway',
  'small letters': 'lower case',
  '(?:some|any|every|no)(?:body|thing|one) else than': 'other than',
  'stands? against': 'prevents, speaks against',
};
const PHRASES = Object.entries(INSTEAD).map(
  ([phrase, instead]) => [new RegExp(`\\b(?:${phrase})(?!\\w)`, 'i'), instead] as const,
);

const files = globSync(['*.md', 'docs/**/*.md', '{shared,db,server,web,scripts,examples}/**/*.{ts,tsx,mjs}'], {
  cwd: ROOT,
  exclude: (path) => /node_modules|dist$|plain-english\.test\.ts$/.test(path),
});

function complaints(path: string): string[] {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    PHRASES.flatMap(([phrase, instead]) => {
      const [found] = phrase.exec(line) ?? [];
      return found === undefined ? [] : [`${path}:${index + 1} "${found}": ${instead}`];
    }),
  );
}

test('code, comments and pages are in plain English: none of the listed phrases occurs', () => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.flatMap(complaints)).toEqual([]);
});
