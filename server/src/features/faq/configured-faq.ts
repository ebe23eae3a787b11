import { faqRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import {
  type ConfigurationPart,
  type Import,
  type Path,
  type Step,
  stepAt,
} from '#core/configuration/configuration-part.ts';
import { readPart } from '#platform/http/requests/read-request.ts';
import { ANY_VERSION } from '#platform/http/versions.ts';
import { cleanAnswer, saveCategory, saveSubcategory, writeRecord } from './write-faq.ts';

type Category = NonNullable<Import['file']['given']['faq']>[number];
type Subcategory = NonNullable<Category['subcategories']>[number];
type Question = NonNullable<Subcategory['records']>[number];

/**
 * Imports a file's FAQ. Categories, subcategories and questions match by name within their parent. New items are
 * added after existing items, in file order.
 */
export const configuredFaq: ConfigurationPart = (call) =>
  (call.file.given.faq ?? []).flatMap((category, at) => {
    const path = ['faq', at];
    return [
      categoryStep(call, category, path),
      ...(category.subcategories ?? []).flatMap((subcategory, index) => {
        const below = [...path, 'subcategories', index];
        const within = () => subcategoryOf(call, category, subcategory);
        return [
          subcategoryStep(call, { category, subcategory }, below),
          ...(subcategory.records ?? []).map((record, line) => {
            const earlier = (subcategory.records ?? []).slice(0, line);
            const nth = earlier.filter(({ question }) => question === record.question).length;
            return recordStep(call, { record, nth, within }, [...below, 'records', line]);
          }),
        ];
      }),
    ];
  });

function categoryStep(call: Import, { name }: Category, path: Path): Step {
  return {
    ...stepAt(path),
    prepare: () => () => {
      const known = categoryOf(call, name);
      if (known?.name === name) return;
      const body = readPart(contract.saveFaqCategory.body, { categoryId: known?.id, name });
      saveCategory(call.deps, call.actor, body, ANY_VERSION);
    },
  };
}

function subcategoryStep(
  call: Import,
  { category, subcategory: { name } }: { category: Category; subcategory: Subcategory },
  path: Path,
): Step {
  return {
    ...stepAt(path),
    prepare: () => () => {
      const parent = categoryOf(call, category.name);
      const known = parent && faqRepo.findSubcategoryByName(call.deps.db, parent, name);
      // If the category is missing, the category's own step reports why.
      if (!parent || known?.name === name) return;
      const form = { subcategoryId: known?.id, categoryId: parent.id, name };
      saveSubcategory(call.deps, call.actor, readPart(contract.saveFaqSubcategory.body, form), ANY_VERSION);
    },
  };
}

interface RecordPosition {
  record: Question;
  /** Number of earlier questions in the subcategory with the same text. */
  nth: number;
  within: () => faqRepo.FaqSubcategoryRow | undefined;
}

function recordStep(call: Import, { record, nth, within }: RecordPosition, path: Path): Step {
  const { question } = record;
  return {
    ...stepAt(path),
    prepare: async () => {
      const answer = await cleanAnswer(record.answer);
      return () => {
        const parent = within();
        if (!parent) return;
        const known = faqRepo.listRecordsByQuestion(call.deps.db, parent, question)[nth];
        if (known?.answer === answer) return;
        const form = { recordId: known?.id, subcategoryId: parent.id, question, answer };
        writeRecord(call.deps, call.actor, readPart(contract.saveFaqRecord.body, form), ANY_VERSION);
      };
    },
  };
}

const categoryOf = ({ deps, actor }: Import, name: string) => faqRepo.findCategoryByName(deps.db, actor.orgCode, name);

function subcategoryOf(call: Import, { name: parent }: Category, { name }: Subcategory) {
  const category = categoryOf(call, parent);
  return category && faqRepo.findSubcategoryByName(call.deps.db, category, name);
}
