import { expect, test } from 'vitest';
import { asAnswer } from './pasted-html.ts';

test('every heading stays one, at one of the two levels of an answer', () => {
  expect(asAnswer('<h1>A</h1><h2>B</h2><h3>C</h3><h5><b>D</b></h5>')).toBe(
    '<h2>A</h2><h2>B</h2><h3>C</h3><h3><b>D</b></h3>',
  );
});

test('cells stay in their columns where one reaches over several columns or rows', () => {
  const rows = (html: string) =>
    [...new DOMParser().parseFromString(asAnswer(`<table>${html}</table>`), 'text/html').querySelectorAll('tr')].map(
      (row) => [...row.cells].map(({ textContent }) => textContent),
    );
  expect(rows('<tr><td>A</td><td colspan="2">B</td></tr><tr><td>1</td><td>2</td><td>3</td></tr>')).toEqual([
    ['A', 'B', ''],
    ['1', '2', '3'],
  ]);
  expect(rows('<tr><th rowspan="2">A</th><td>B</td></tr><tr><td>C</td></tr><tr><td>D</td><td>E</td></tr>')).toEqual([
    ['A', 'B'],
    ['', 'C'],
    ['D', 'E'],
  ]);
  expect(rows('<tr><td>A</td><td rowspan="2">B</td></tr><tr><td>C</td></tr>')).toEqual([
    ['A', 'B'],
    ['C', ''],
  ]);
});
