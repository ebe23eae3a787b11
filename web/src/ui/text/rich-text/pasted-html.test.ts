import { expect, test } from 'vitest';
import { toAnswerHtml, unsupportedContentOf } from './rich-text-editor.tsx';

test('maps all headings to the two levels that answers support', () => {
  expect(toAnswerHtml('<h1>A</h1><h2>B</h2><h3>C</h3><h5><b>D</b></h5>')).toBe(
    '<h2>A</h2><h2>B</h2><h3>C</h3><h3><b>D</b></h3>',
  );
});

test('keeps cells in their columns next to cells that span several columns or rows', () => {
  const rows = (html: string) =>
    [
      ...new DOMParser().parseFromString(toAnswerHtml(`<table>${html}</table>`), 'text/html').querySelectorAll('tr'),
    ].map((row) => [...row.cells].map(({ textContent }) => textContent));
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

test.each([
  ['<p><s>old</s></p>', true],
  ['<p>x<sup>2</sup></p>', true],
  ['<p>H<sub>2</sub>O</p>', true],
  ['<span style="text-decoration:line-through">old</span>', true],
  ['<span style="vertical-align: super">2</span>', true],
  ['<p><strong>new</strong></p>', false],
])('detects unsupported styles in %s: %s', (html, styles) => {
  const data = { getData: (type: string) => (type === 'text/html' ? html : ''), files: [] };
  expect(unsupportedContentOf(Object.assign(new EventTarget(), data) as never)).toEqual({ pictures: false, styles });
});
