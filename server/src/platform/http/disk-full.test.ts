import {
  bulkInvite,
  codeOf,
  getFaq,
  listActivity,
  saveFaqCategory,
  saveFaqRecord,
  saveFaqSubcategory,
  searchUsers,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { directoryOf, userWith } from '#protocols/scim/testing.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const FULL = "The portal's disk is full, so this couldn't be saved. Free some space and try again.";

let portal: TestPortal;
let token: string;
let lines: string[];
beforeEach(async () => {
  lines = [];
  portal = await testPortal({
    onLog: (line) => lines.push(line),
    register: (app) =>
      app.get('/api/test/broken-disk', () => {
        throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
      }),
  });
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

const pragma = (text: string) => portal.deps.db.$client.pragma(text, { simple: true });
/** Caps the database at its current number of pages. */
const fillDisk = () => pragma(`max_page_count = ${pragma('page_count')}`);
const makeRoom = () => pragma('max_page_count = 1000000');

async function shelf(): Promise<string> {
  const { categoryId } = (await portal.call(saveFaqCategory, { body: { name: 'Shelf' } }, { token })).body;
  return (await portal.call(saveFaqSubcategory, { body: { categoryId, name: 'Board' } }, { token })).body.subcategoryId;
}

const save = (subcategoryId: string, question: string) =>
  portal.call(saveFaqRecord, { body: { subcategoryId, question, answer: 'long '.repeat(1_500) } }, { token });

async function questions(): Promise<string[]> {
  const { categories } = (await portal.call(getFaq, {}, { token })).body;
  return categories.flatMap(({ subcategories }) =>
    subcategories.flatMap(({ records }) => records.map(({ question }) => question)),
  );
}

/** Returns the names of objects created by this action, from the audit trail. */
async function recorded(action: 'faq-record.created' | 'member.created'): Promise<string[]> {
  const { Items } = (await portal.call(listActivity, { query: { action, pageSize: 100 } }, { token })).body;
  return Items.map(({ object }) => object.name);
}

test('reports a full disk, saves nothing partially, and recovers once there is space', async () => {
  const subcategoryId = await shelf();
  fillDisk();
  const files: string[] = [];
  let refused: Awaited<ReturnType<typeof save>> | undefined;
  let question = '';
  for (let number = 0; number < 100 && !refused; number += 1) {
    question = `Question ${number}`;
    const answer = await save(subcategoryId, question);
    if (answer.status === 200) files.push(question);
    else refused = answer;
  }
  expect(refused?.status).toBe(507);
  expect(refused?.body).toEqual({
    resultCode: 7,
    resultName: 'FAILED',
    message: FULL,
    requestId: expect.stringMatching(/^[\w-]+$/),
  });
  const logged = lines.find((line) => line.includes('SQLITE_FULL')) ?? '{}';
  expect(JSON.parse(logged)).toMatchObject({ level: 50, reqId: refused?.body.requestId, msg: FULL });

  // Reads still work, and the list lacks the question that could not be saved.
  expect(await questions()).toEqual(expect.arrayContaining(files));
  expect(await questions()).not.toContain(question);
  expect((await recorded('faq-record.created')).toSorted()).toEqual(files.toSorted());

  makeRoom();
  expect((await save(subcategoryId, question)).status).toBe(200);
  expect(await questions()).toContain(question);
  expect(await recorded('faq-record.created')).toContain(question);
  expect((await portal.signIn('user@acme.test')).token).not.toBe('');
});

test('saves each concurrently created user with its event, or returns a SCIM error', async () => {
  const directory = directoryOf(portal);
  fillDisk();
  const made: string[] = [];
  const refused: string[] = [];
  for (let round = 0; round < 40 && refused.length === 0; round += 1) {
    const names = Array.from({ length: 8 }, (_, number) => `new.${round}.${number}@acme.test`);
    const answers = await Promise.all(
      names.map((userName) => directory.send('POST', '/Users', userWith({ userName }))),
    );
    for (const [index, { status, body }] of answers.entries()) {
      (status === 201 ? made : refused).push(names[index] ?? '');
      if (status !== 201) expect(body).toMatchObject({ status: '507', detail: FULL });
    }
  }
  expect(refused.length).toBeGreaterThan(0);

  makeRoom();
  const { body } = await directory.filter('Users', 'userName sw "new."', 'count=500');
  expect(body.totalResults).toBe(made.length);
  expect(await recorded('member.created')).toHaveLength(Math.min(100, made.length));
  const [again = ''] = refused;
  expect((await directory.send('POST', '/Users', userWith({ userName: again }))).status).toBe(201);
});

test('reports a full disk to a SCIM directory', async () => {
  const directory = directoryOf(portal);
  const { body } = await directory.send('POST', '/Users', userWith({ userName: 'new@acme.test' }));
  const rename = () =>
    directory.patch(`/Users/${body.id}`, [{ op: 'replace', path: 'name.givenName', value: 'Other' }]);
  pragma('query_only = ON');
  expect(await rename()).toMatchObject({ status: 500, body: { detail: expect.stringContaining('is read-only') } });
  pragma('query_only = OFF');
  expect((await directory.get(`/Users/${body.id}`)).body.name).not.toMatchObject({ givenName: 'Other' });
  expect((await rename()).status).toBe(200);
});

test('reports a full disk during an upload and saves no row partially', async () => {
  const rows = Array.from({ length: 500 }, (_, number) => `new.person.${number}@acme.test,New,Person,N-${number}`);
  const upload = () => {
    const body = new FormData();
    body.append('type', 'mobile');
    body.append('file', new File([`email,firstName,lastName,primaryAttr\n${rows.join('\n')}`], 'people.csv'));
    return portal.call(bulkInvite, { body }, { token });
  };
  const found = async () =>
    (await portal.call(searchUsers, { query: { q: 'new.person', field: 'primaryEmail' } }, { token })).body.Items
      .length;
  fillDisk();
  const refused = await upload();
  expect(refused.status).toBe(507);
  expect(refused.body.message).toBe(FULL);
  expect(await found()).toBe(0);
  makeRoom();
  expect((await upload()).body).toMatchObject({ created: 500, invited: 500 });
  expect(await found()).toBeGreaterThan(0);
});

test('reports a read-only database and a disk error', async () => {
  const subcategoryId = await shelf();
  pragma('query_only = ON');
  const { status, body } = await save(subcategoryId, 'Why?');
  expect(status).toBe(500);
  expect(body).toMatchObject({ resultCode: codeOf('FAILED'), message: expect.stringContaining('is read-only') });
  pragma('query_only = OFF');
  expect((await save(subcategoryId, 'Why?')).status).toBe(200);

  const broken = await portal.http.get('/api/test/broken-disk');
  expect(broken.status).toBe(500);
  expect(broken.body).toMatchObject({ message: expect.stringContaining('reported an error') });
});
