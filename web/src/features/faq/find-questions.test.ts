import type { FaqCategory } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { findQuestions, recordsOf, withoutEmptyCategories } from './faq-content.tsx';

const record = (recordId: string, question: string, answer: string) => ({ recordId, question, answer, version: '"1"' });

const tree: FaqCategory[] = [
  {
    categoryId: 'c1',
    version: '"1"',
    name: 'Signing in',
    subcategories: [
      {
        subcategoryId: 's1',
        version: '"1"',
        name: 'Phones',
        records: [
          record(
            'r1',
            'I lost my phone',
            '<p>Report it <strong>lost</strong> on the <a href="https://acme.test">page</a>.</p>',
          ),
          record('r2', 'The code expired', '<p>Get a new one.</p><p>It takes a moment.</p>'),
        ],
      },
      { subcategoryId: 's2', version: '"1"', name: 'Empty', records: [] },
    ],
  },
  { categoryId: 'c2', version: '"1"', name: 'Nothing yet', subcategories: [] },
];

const found = (...words: string[]) => recordsOf(findQuestions(tree, words)).map(({ recordId }) => recordId);

test('finds words from a question and its answer in any order and case', () => {
  expect(found('phone', 'report')).toEqual(['r1']);
  expect(found('moment', 'code')).toEqual(['r2']);
});

test('ignores tags and link addresses', () => {
  expect(found('strong')).toEqual([]);
  expect(found('acme')).toEqual([]);
});

test('requires every word', () => {
  expect(found('phone', 'expired')).toEqual([]);
});

test('hides an empty category', () => {
  expect(withoutEmptyCategories(tree).map(({ name, subcategories }) => [name, subcategories.length])).toEqual([
    ['Signing in', 1],
  ]);
});
