import { expect, test } from 'vitest';
import { csvText, tabbedText } from './csv-text.ts';

test('quotes cells if needed and ends rows as RFC 4180 requires', () => {
  expect(
    csvText([
      ['#', 'User'],
      [1, 'a "b", c'],
    ]),
  ).toBe('\uFEFF#,User\r\n1,"a ""b"", c"\r\n');
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  ' =cmd|x',
  '\r=1',
  '\n=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '\u3000＝1',
  '\u200B=1',
  '﹦1',
  '\tplain',
  '\rplain',
])('writes %j as text, not as a formula', (cell) => {
  expect(csvText([[cell]])).toContain(`'${cell}`);
});

test.each(['Jean=Luc', ' plain', '１＋１', 'a@b.test'])('keeps %j unchanged', (cell) => {
  expect(csvText([[cell]])).toBe(`\uFEFF${cell}\r\n`);
});

test('quotes cells that a different separator would split', () => {
  expect(csvText([['a;=1+1', 'b\t=1']])).toBe('\uFEFF"a;=1+1","b\t=1"\r\n');
});

test('keeps numbers, including negative ones', () => {
  expect(csvText([[-1]])).toBe('\uFEFF-1\r\n');
});

test('separates copied cells with tabs, without formulas and line breaks', () => {
  expect(
    tabbedText([
      ['Name', 'Reason'],
      ['=1+1', 'two\nlines\tand a tab'],
    ]),
  ).toBe("Name\tReason\n'=1+1\ttwo lines and a tab");
});
