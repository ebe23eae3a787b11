import type { FaqCategory, FaqRecord } from '@orchestrate/shared';
import { answerText } from '../../ui/rich-text/answer-text.ts';

/** The search words, in lower case; none for an empty query. */
export const wantedWords = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** The parts of a tree with questions in them: empty categories and subcategories are left out. */
export function withQuestions(
  categories: readonly FaqCategory[],
  isWanted: (record: FaqRecord) => boolean = () => true,
): FaqCategory[] {
  return categories
    .map((category) => ({
      ...category,
      subcategories: category.subcategories
        .map((subcategory) => ({ ...subcategory, records: subcategory.records.filter(isWanted) }))
        .filter(({ records }) => records.length > 0),
    }))
    .filter(({ subcategories }) => subcategories.length > 0);
}

/** The questions that contain all the words, in themselves or in their answers. */
export function findQuestions(categories: readonly FaqCategory[], words: readonly string[]): FaqCategory[] {
  return withQuestions(categories, ({ question, answer }) => {
    const text = `${question} ${answerText(answer)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export const recordsOf = (categories: readonly FaqCategory[]): FaqRecord[] =>
  categories.flatMap(({ subcategories }) => subcategories.flatMap(({ records }) => records));
