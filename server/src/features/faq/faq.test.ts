import { faqRepo } from '@orchestrate/db';
import {
  deleteFaqCategory,
  deleteFaqRecord,
  deleteFaqSubcategory,
  getFaq,
  getPublicFaq,
  type InputOf,
  LIMITS,
  saveFaqCategory,
  saveFaqRecord,
  saveFaqSubcategory,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

const saveCategory = (body: InputOf<typeof saveFaqCategory>['body']) =>
  portal.call(saveFaqCategory, { body }, { token });
const saveSubcategory = (body: InputOf<typeof saveFaqSubcategory>['body']) =>
  portal.call(saveFaqSubcategory, { body }, { token });
const saveRecord = (body: InputOf<typeof saveFaqRecord>['body']) => portal.call(saveFaqRecord, { body }, { token });
const categories = async () => (await portal.call(getFaq, {}, { token })).body.categories;

/** Adds a category at the end of the list, with one empty subcategory. */
async function shelf(): Promise<{ categoryId: string; subcategoryId: string }> {
  const { categoryId } = (await saveCategory({ name: 'Shelf' })).body;
  const { subcategoryId } = (await saveSubcategory({ categoryId, name: 'Board' })).body;
  return { categoryId, subcategoryId };
}
const answer = '<p>Yes.</p>';

test('lets every member read their organisation’s questions', async () => {
  const auth = await portal.signIn('user@acme.test');
  const { body } = await portal.call(getFaq, {}, { token: auth.token });
  expect(body.categories.map(({ name }) => name)).toEqual(['Signing in', 'Devices', 'Working with the help desk']);
  expect(body.categories[0]?.subcategories[0]?.records[0]).toMatchObject({
    question: 'How do I sign in without a password?',
    answer: expect.stringContaining('<strong>Sign in</strong>'),
  });
});

// covers: spec 2.7.27
test('serves the FAQ without a token, but not for an unknown organisation (ORG_CODE_NOT_FOUND)', async () => {
  const { body } = await portal.call(getPublicFaq, { query: { code: 'acme' } });
  expect(body.categories).toEqual(await categories());
  const globex = await portal.call(getPublicFaq, { query: { code: 'globex' } });
  expect(globex.body.categories.map(({ name }) => name)).toEqual(['Getting started']);
  expect((await portal.call(getPublicFaq, { query: { code: 'nobody' } })).body.resultName).toBe('ORG_CODE_NOT_FOUND');
});

test('adds a category at the end, renames, moves and deletes it with its contents', async () => {
  const { categoryId } = (await saveCategory({ name: ' Printers ' })).body;
  const { subcategoryId } = (await saveSubcategory({ categoryId, name: 'Paper' })).body;
  const { recordId } = (await saveRecord({ subcategoryId, question: 'Jam?', answer })).body;
  await saveCategory({ categoryId, name: 'PRINTERS', position: 1 });
  const names = (await categories()).map(({ name }) => name);
  expect(names).toEqual(['Signing in', 'PRINTERS', 'Devices', 'Working with the help desk']);
  await saveCategory({ categoryId, name: 'Printing' });
  expect((await categories())[1]).toMatchObject({ name: 'Printing', subcategories: [{ records: [{ recordId }] }] });
  await portal.call(deleteFaqCategory, { body: { categoryId } }, { token });
  expect(await categories()).toHaveLength(3);
  expect(faqRepo.findRecord(portal.deps.db, 'acme', recordId)).toBeUndefined();
});

test('moves an item to the end if its position is beyond the end', async () => {
  const { categoryId } = (await saveCategory({ name: 'First', position: 0 })).body;
  await saveCategory({ categoryId, name: 'First', position: 10_000 });
  expect((await categories()).map(({ name }) => name).at(-1)).toBe('First');
});

// covers: spec 2.8.33
test('rejects a category that is unnamed (FAQ_CATEGORY_NAME_MISSING), taken or unknown', async () => {
  for (const name of [undefined, '', '  ']) {
    expect(await saveCategory({ name })).toMatchObject({
      status: 400,
      body: { resultName: 'FAQ_CATEGORY_NAME_MISSING' },
    });
  }
  expect(await saveCategory({ name: 'DEVICES' })).toMatchObject({
    status: 200,
    body: { resultName: 'FAQ_CATEGORY_EXISTS' },
  });
  const { categoryId } = await shelf();
  expect((await saveCategory({ categoryId, name: 'devices', position: 0 })).body.resultName).toBe(
    'FAQ_CATEGORY_EXISTS',
  );
  expect((await categories()).map(({ name }) => name).at(-1)).toBe('Shelf');
  expect(await saveCategory({ categoryId: 'x', name: 'X' })).toMatchObject({
    status: 404,
    body: { resultName: 'FAQ_CATEGORY_NOT_FOUND' },
  });
  expect((await saveSubcategory({ categoryId: 'x', name: 'X' })).body.resultName).toBe('FAQ_CATEGORY_NOT_FOUND');
  const gone = await portal.call(deleteFaqCategory, { body: { categoryId: 'x' } }, { token });
  expect(gone).toMatchObject({ status: 404, body: { resultName: 'FAQ_CATEGORY_NOT_FOUND' } });
});

test('moves a subcategory to a position in another category', async () => {
  const { categoryId, subcategoryId } = await shelf();
  const [, devices] = await categories();
  const target = devices?.categoryId ?? '';
  await saveSubcategory({ subcategoryId, categoryId: target, name: 'Board', position: 0 });
  const after = await categories();
  expect(after[1]?.subcategories[0]?.name).toBe('Board');
  expect(after.find((category) => category.categoryId === categoryId)?.subcategories).toEqual([]);
});

// covers: spec 2.8.34
test('rejects a subcategory that is unnamed (FAQ_SUBCATEGORY_NAME_MISSING), taken or unknown', async () => {
  const { categoryId, subcategoryId } = await shelf();
  expect(await saveSubcategory({ categoryId })).toMatchObject({
    status: 400,
    body: { resultName: 'FAQ_SUBCATEGORY_NAME_MISSING' },
  });
  expect((await saveSubcategory({ categoryId, name: 'BOARD' })).body.resultName).toBe('FAQ_SUBCATEGORY_EXISTS');
  const other = (await saveCategory({ name: 'Other' })).body.categoryId;
  const twin = (await saveSubcategory({ categoryId: other, name: 'Board' })).body;
  expect(twin.resultCode).toBe(0);
  const moved = { subcategoryId: twin.subcategoryId, categoryId, name: 'Board' };
  expect((await saveSubcategory(moved)).body.resultName).toBe('FAQ_SUBCATEGORY_EXISTS');
  expect((await saveSubcategory({ ...moved, subcategoryId: 'x' })).body.resultName).toBe('FAQ_SUBCATEGORY_NOT_FOUND');
  expect((await saveRecord({ subcategoryId: 'x', question: 'A?', answer })).body.resultName).toBe(
    'FAQ_SUBCATEGORY_NOT_FOUND',
  );
  const remove = () => portal.call(deleteFaqSubcategory, { body: { subcategoryId } }, { token });
  expect((await remove()).body.resultCode).toBe(0);
  expect(await remove()).toMatchObject({ status: 404, body: { resultName: 'FAQ_SUBCATEGORY_NOT_FOUND' } });
});

// covers: spec 2.7.27
test('creates, changes, moves and deletes questions', async () => {
  const { categoryId, subcategoryId } = await shelf();
  const ids: string[] = [];
  for (const question of ['A?', 'B?', 'C?']) {
    ids.push((await saveRecord({ subcategoryId, question, answer })).body.recordId);
  }
  const [first = '', , last = ''] = ids;
  const questions = async () =>
    (await categories()).at(-1)?.subcategories.map(({ records }) => records.map(({ question }) => question));
  await saveRecord({ recordId: last, subcategoryId, question: 'C!', answer, position: 0 });
  expect(await questions()).toEqual([['C!', 'A?', 'B?']]);
  const other = (await saveSubcategory({ categoryId, name: 'Upper', position: 0 })).body.subcategoryId;
  await saveRecord({ recordId: first, subcategoryId: other, question: 'A?', answer: '<p>No.</p>' });
  expect(await questions()).toEqual([['A?'], ['C!', 'B?']]);
  await portal.call(deleteFaqRecord, { body: { recordId: last } }, { token });
  expect(await questions()).toEqual([['A?'], ['B?']]);
});

// covers: spec 2.8.35
test('rejects incomplete (FAQ_RECORD_INCOMPLETE) and unknown questions (FAQ_RECORD_NOT_FOUND)', async () => {
  const { subcategoryId } = await shelf();
  for (const lacking of [{ question: '', answer }, { question: 'A?', answer: '<p> </p>' }, { question: 'A?' }]) {
    expect(await saveRecord({ subcategoryId, ...lacking })).toMatchObject({
      status: 400,
      body: { resultName: 'FAQ_RECORD_INCOMPLETE' },
    });
  }
  const nothingLeft = {
    subcategoryId,
    question: 'A?',
    answer: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  };
  expect((await saveRecord(nothingLeft)).body.resultName).toBe('FAQ_RECORD_INCOMPLETE');
  expect((await saveRecord({ recordId: 'x', subcategoryId, question: 'A?', answer })).body.resultName).toBe(
    'FAQ_RECORD_NOT_FOUND',
  );
  const gone = await portal.call(deleteFaqRecord, { body: { recordId: 'x' } }, { token });
  expect(gone).toMatchObject({ status: 404, body: { resultName: 'FAQ_RECORD_NOT_FOUND' } });
});

// covers: security 1.3.1
test('sanitises an answer and returns the stored version', async () => {
  const { subcategoryId } = await shelf();
  const written =
    '<p onclick="alert(1)">Read <a href="https://acme.test/x">this</a>, not <a href="data:,x">that</a>.</p>';
  const { body } = await saveRecord({ subcategoryId, question: 'A?', answer: written });
  expect(body.answer).toBe(
    '<p>Read <a href="https://acme.test/x" target="_blank" rel="noopener noreferrer nofollow">this</a>, not that.</p>',
  );
  expect((await categories()).at(-1)?.subcategories[0]?.records[0]?.answer).toBe(body.answer);
});

// covers: spec 2.5.22, spec 2.9.6
test('limits an answer to 10,000 characters, both as written and as stored', async () => {
  const { subcategoryId } = await shelf();
  const most = `<p>${'x'.repeat(LIMITS.richTextMaxLength - 7)}</p>`;
  expect((await saveRecord({ subcategoryId, question: 'A?', answer: most })).body.resultCode).toBe(0);
  const links = '<a href="https://a.test/">x</a>'.repeat(200);
  for (const tooLong of [`${most}x`, links]) {
    expect((await saveRecord({ subcategoryId, question: 'A?', answer: tooLong })).body).toMatchObject({
      resultName: 'INVALID_REQUEST',
      issues: [{ path: 'answer', message: 'At most 10000 characters' }],
    });
  }
});

test.each([-1, 1.5, 10_001, '0'])('rejects %j as a position', async (position) => {
  const body = Object({ name: 'X', position });
  expect((await saveCategory(body)).body).toMatchObject({
    resultName: 'INVALID_REQUEST',
    issues: [{ path: 'position' }],
  });
});

test('limits categories and subcategories to 50 each, and questions to 200', async () => {
  const { db } = portal.deps;
  const { categoryId, subcategoryId } = await shelf();
  db.transaction((tx) => {
    for (let n = 0; n < LIMITS.faqCategories - 4; n += 1) {
      faqRepo.saveCategory(tx, { id: `c${n}`, orgCode: 'acme', name: `C${n}` });
    }
    for (let n = 0; n < LIMITS.faqSubcategoriesPerCategory - 1; n += 1) {
      faqRepo.saveSubcategory(tx, { id: `s${n}`, orgCode: 'acme', categoryId, name: `S${n}` });
    }
    for (let n = 0; n < LIMITS.faqRecordsPerSubcategory; n += 1) {
      faqRepo.saveRecord(tx, { id: `r${n}`, orgCode: 'acme', subcategoryId, question: `${n}?`, answer });
    }
  });
  for (const refused of [
    await saveCategory({ name: 'One more' }),
    await saveSubcategory({ categoryId, name: 'One more' }),
    await saveRecord({ subcategoryId, question: 'One more?', answer }),
  ]) {
    expect(refused).toMatchObject({
      status: 400,
      body: { resultName: 'INVALID_REQUEST', message: expect.stringMatching(/at most/) },
    });
  }
  // Existing items can still be changed at the limit.
  expect((await saveCategory({ categoryId, name: 'Renamed', position: 3 })).body.resultCode).toBe(0);
});

test('doesn’t find other organisations’ items', async () => {
  const [category] = await categories();
  const [subcategory] = category?.subcategories ?? [];
  const [record] = subcategory?.records ?? [];
  const { token: elsewhere } = await portal.signIn('admin@globex.test');
  const categoryId = category?.categoryId ?? '';
  const subcategoryId = subcategory?.subcategoryId ?? '';
  const recordId = record?.recordId ?? '';
  const codes = [
    await portal.call(saveFaqCategory, { body: { categoryId, name: 'Mine' } }, { token: elsewhere }),
    await portal.call(saveFaqSubcategory, { body: { categoryId, name: 'Mine' } }, { token: elsewhere }),
    await portal.call(deleteFaqSubcategory, { body: { subcategoryId } }, { token: elsewhere }),
    await portal.call(deleteFaqRecord, { body: { recordId } }, { token: elsewhere }),
  ].map(({ body }) => body.resultCode);
  expect(codes).toEqual([45, 45, 48, 50]);
});
