import { expect, test } from 'vitest';
import { withWordLists } from './rich-text-editor.tsx';

/** Returns a list item as Word puts it on the clipboard. */
const entry = (words: string, marker: string, level = 1, list = 'l0', run = 'lfo1') =>
  `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:${list} level${level} ${run}'><!--[if !supportLists]--><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><!--[endif]-->${words}</p>`;

/** Removes attributes and elements that the editor drops anyway. */
const plain = (html: string) =>
  withWordLists(html)
    .replaceAll(/<!--.*?-->|<\/?span[^>]*>/g, '')
    .replaceAll(/ (class|style)="[^"]*"/g, '');

test('converts Word list items to a list, which is numbered if the items are', () => {
  expect(plain(entry('First', '·') + entry('Second', '·'))).toBe(
    '<ul><li><p>First</p></li><li><p>Second</p></li></ul>',
  );
  for (const marker of ['1.', 'a)', 'iv.', '(b)']) {
    expect(plain(entry('First', marker))).toBe('<ol><li><p>First</p></li></ol>');
  }
});

test('nests lists by level and returns to outer levels', () => {
  const html = entry('A', '1.') + entry('A1', '·', 2) + entry('A1x', '§', 3) + entry('A2', '·', 2) + entry('B', '2.');
  expect(plain(html)).toBe(
    '<ol><li><p>A</p><ul><li><p>A1</p><ul><li><p>A1x</p></li></ul></li><li><p>A2</p></li></ul></li><li><p>B</p></li></ol>',
  );
});

test('separates adjacent lists of different types', () => {
  const bullets = entry('A', '·') + entry('B', '·');
  const numbers = entry('C', '1.', 1, 'l1') + entry('D', '2.', 1, 'l1');
  expect(plain(bullets + numbers)).toBe(
    '<ul><li><p>A</p></li><li><p>B</p></li></ul><ol><li><p>C</p></li><li><p>D</p></li></ol>',
  );
  expect(plain(entry('C', '1.') + entry('A', '·', 1, 'l1'))).toBe(
    '<ol><li><p>C</p></li></ol><ul><li><p>A</p></li></ul>',
  );
  // In Word, a single list can switch between numbers and bullets.
  expect(plain(entry('C', '1.') + entry('A', '·'))).toBe('<ol><li><p>C</p></li></ol><ul><li><p>A</p></li></ul>');
});

test('separates adjacent lists of the same type, including a restarted list', () => {
  const two = '<ol><li><p>A</p></li></ol><ol><li><p>B</p></li></ol>';
  expect(plain(entry('A', '1.') + entry('B', '1.', 1, 'l1', 'lfo2'))).toBe(two);
  expect(plain(entry('A', '1.') + entry('B', '1.', 1, 'l0', 'lfo2'))).toBe(two);
});

test('keeps lists of two types inside one item and continues the outer list', () => {
  const html =
    entry('A', '1.') + entry('A1', '·', 2, 'l1') + entry('A2', '1.', 2, 'l2') + entry('B', '2.') + entry('C', '3.');
  expect(plain(html)).toBe(
    '<ol><li><p>A</p><ul><li><p>A1</p></li></ul><ol><li><p>A2</p></li></ol></li><li><p>B</p></li><li><p>C</p></li></ol>',
  );
});

test("keeps a list's start number", () => {
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

test("doesn't add a paragraph that was removed from a Word list", () => {
  const html = `${entry('A', '·')}<p style='mso-list:none'>B</p>`;
  expect(plain(html)).toBe('<ul><li><p>A</p></li></ul><p>B</p>');
});

test('splits a list at content between its items', () => {
  const html = `${entry('A', '·')}<p class=MsoNormal>Between</p>${entry('B', '·')}`;
  expect(plain(html)).toBe('<ul><li><p>A</p></li></ul><p>Between</p><ul><li><p>B</p></li></ul>');
});

test("keeps an item's formatting, links and spaces", () => {
  const words = `<b>Bold</b> <a href="https://acme.test">a&nbsp;&nbsp;link</a>`;
  expect(plain(entry(words, '·'))).toBe(`<ul><li><p>${words}</p></li></ul>`);
});

test('leaves content from other sources unchanged', () => {
  for (const html of ['<ul><li>One</li></ul>', '<p>1. One</p>', '']) expect(withWordLists(html)).toBe(html);
});
