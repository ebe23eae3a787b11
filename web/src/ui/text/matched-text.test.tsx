import { expect, test } from 'vitest';
import { splitByMatches } from './matched-text.tsx';

/** Puts brackets around the matches. */
const marked = (text: string, search: string) =>
  splitByMatches(text, search)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

test.each([
  ['Tamara Quist', 'MAR', 'Ta[mar]a Quist'],
  ['Tomás Marín', 'marin tomas', '[Tomás] [Marín]'],
  ['Toma\u0301s', 'mas', 'To[ma\u0301s]'],
  ['Strauß', 'strauss', '[Strauß]'],
  ['Omar Marsh', 'mar', 'O[mar] [Mar]sh'],
  ['Ulli Lind', 'li', 'Ulli [Li]nd'],
  ['anana', 'ana', '[anana]'],
  ['Mara', 'x.*', 'Mara'],
])('highlights in %s what %s matches', (text, search, shown) => {
  expect(marked(text, search)).toBe(shown);
});
