import { expect, test } from 'vitest';
import { withWordLists } from './rich-text-editor.tsx';

/** An entry as Word puts it on the clipboard. */
const entry = (words: string, marker: string, level = 1, list = 'l0', run = 'lfo1') =>
  `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:${list} level${level} ${run}'><!--[if !supportLists]--><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><!--[endif]-->${words}</p>`;

/** Without what the editor drops anyway. */
const plain = (html: string) =>
  withWordLists(html)
    .replaceAll(/<!--.*?-->|<\/?span[^>]*>/g, '')
    .replaceAll(/ (class|style)="[^"]*"/g, '');

test('entries of Word become a list, numbered where they have numbers', () => {
  expect(plain(entry('First', '·') + entry('Second', '·'))).toBe(
    '<ul><li><p>First</p></li><li><p>Second</p></li></ul>',
  );
  for (const marker of ['1.', 'a)', 'iv.', '(b)']) {
    expect(plain(entry('First', marker))).toBe('<ol><li><p>First</p></li></ol>');
  }
});

test('levels are lists in lists, and come back', () => {
  const html = entry('A', '1.') + entry('A1', '·', 2) + entry('A1x', '§', 3) + entry('A2', '·', 2) + entry('B', '2.');
  expect(plain(html)).toBe(
    '<ol><li><p>A</p><ul><li><p>A1</p><ul><li><p>A1x</p></li></ul></li><li><p>A2</p></li></ul></li><li><p>B</p></li></ol>',
  );
});

test('neighbouring lists of two kinds stay two', () => {
  const bullets = entry('A', '·') + entry('B', '·');
  const numbers = entry('C', '1.', 1, 'l1') + entry('D', '2.', 1, 'l1');
  expect(plain(bullets + numbers)).toBe(
    '<ul><li><p>A</p></li><li><p>B</p></li></ul><ol><li><p>C</p></li><li><p>D</p></li></ol>',
  );
  expect(plain(entry('C', '1.') + entry('A', '·', 1, 'l1'))).toBe(
    '<ol><li><p>C</p></li></ol><ul><li><p>A</p></li></ul>',
  );
  // One list of Word may change its kind.
  expect(plain(entry('C', '1.') + entry('A', '·'))).toBe('<ol><li><p>C</p></li></ol><ul><li><p>A</p></li></ul>');
});

test('two lists of one kind stay two: another list, or the same begun again', () => {
  const two = '<ol><li><p>A</p></li></ol><ol><li><p>B</p></li></ol>';
  expect(plain(entry('A', '1.') + entry('B', '1.', 1, 'l1', 'lfo2'))).toBe(two);
  expect(plain(entry('A', '1.') + entry('B', '1.', 1, 'l0', 'lfo2'))).toBe(two);
});

test('lists of two kinds within one entry stay there, and the list around them goes on', () => {
  const html =
    entry('A', '1.') + entry('A1', '·', 2, 'l1') + entry('A2', '1.', 2, 'l2') + entry('B', '2.') + entry('C', '3.');
  expect(plain(html)).toBe(
    '<ol><li><p>A</p><ul><li><p>A1</p></li></ul><ol><li><p>A2</p></li></ol></li><li><p>B</p></li><li><p>C</p></li></ol>',
  );
});

test('a list keeps the number with which it begins', () => {
  expect(plain(entry('A', '5.') + entry('B', '6.'))).toBe('<ol start="5"><li><p>A</p></li><li><p>B</p></li></ol>');
  expect(plain(entry('A', '(12)'))).toBe('<ol start="12"><li><p>A</p></li></ol>');
  expect(plain(entry('A', '1.') + entry('A2', '1.2.', 2))).toBe(
    '<ol><li><p>A</p><ol start="2"><li><p>A2</p></li></ol></li></ol>',
  );
  expect(plain(entry('A', '1.') + entry('B', '·', 1, 'l1') + entry('C', '2.'))).toBe(
    '<ol><li><p>A</p></li></ol><ul><li><p>B</p></li></ul><ol start="2"><li><p>C</p></li></ol>',
  );
  for (const marker of ['0.', '2026.', 'c)']) expect(plain(entry('A', marker))).toBe('<ol><li><p>A</p></li></ol>');
});

test('a paragraph that Word took out of its list is none of its entries', () => {
  const html = `${entry('A', '·')}<p style='mso-list:none'>B</p>`;
  expect(plain(html)).toBe('<ul><li><p>A</p></li></ul><p>B</p>');
});

test('what stands between entries parts the lists, and stays', () => {
  const html = `${entry('A', '·')}<p class=MsoNormal>Between</p>${entry('B', '·')}`;
  expect(plain(html)).toBe('<ul><li><p>A</p></li></ul><p>Between</p><ul><li><p>B</p></li></ul>');
});

test('formatting, links and spaces of an entry stay', () => {
  const words = `<b>Bold</b> <a href="https://acme.test">a&nbsp;&nbsp;link</a>`;
  expect(plain(entry(words, '·'))).toBe(`<ul><li><p>${words}</p></li></ul>`);
});

test('what is not from Word is not touched', () => {
  for (const html of ['<ul><li>One</li></ul>', '<p>1. One</p>', '']) expect(withWordLists(html)).toBe(html);
});
