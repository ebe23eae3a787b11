import { expect, test } from 'vitest';
import { withWordLists } from './pasted-from-word.ts';

/** An entry as Word puts it on the clipboard. */
const entry = (words: string, marker: string, level = 1) =>
  `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><!--[if !supportLists]--><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><!--[endif]-->${words}</p>`;

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
