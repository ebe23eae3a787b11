import { beforeEach, expect, test } from 'vitest';
import { forgetOthers } from '#lib/session/personal-storage.ts';
import { dropDraft, findDraft, findDraftHere, keepDraft, lostOf, wholeDraft, without } from './drafts.ts';

const draft = { base: { values: { name: 'a' }, version: '"1"' }, typed: { name: 'b' }, path: '/' };
beforeEach(() => sessionStorage.clear());

test('a draft is restored for the same person until it is discarded', () => {
  keepDraft('s-1', 'role A', draft);
  keepDraft('s-1', 'role B', draft);
  expect(findDraft('s-1', 'role A')).toEqual(draft);
  expect(findDraftHere('s-1', 'role ')).toBe('A');
  dropDraft('role A');
  expect(findDraft('s-1', 'role A')).toBeUndefined();
  expect(findDraft('s-1', 'role B')).toEqual(draft);
});

test('nobody else sees a draft, and it is deleted when somebody else signs in', () => {
  keepDraft('s-1', 'role A', draft);
  expect(findDraft('s-2', 'role A')).toBeUndefined();
  forgetOthers('s-2');
  expect(sessionStorage).toHaveLength(0);
  expect(findDraft('s-1', 'role A')).toBeUndefined();
});

test('a draft belongs to the page on which it was typed', () => {
  keepDraft('s-1', 'role A', { ...draft, path: '/elsewhere' });
  expect(findDraftHere('s-1', 'role ')).toBeUndefined();
});

test('what was emptied stays empty, and what the draft does not know is the server’s', () => {
  keepDraft<Record<string, unknown>>('s-1', 'role A', {
    base: { values: { name: 'a', manager: 'x' }, version: '"1"' },
    typed: { name: 'b', manager: undefined, role: 'r' },
    path: '/',
  });
  const kept = findDraft<Record<string, unknown>>('s-1', 'role A');
  if (!kept) throw new Error('There is no draft.');
  const saved = { name: 's', manager: 'y', role: 'q', secret: 'z', added: 1 };
  const { base, typed } = wholeDraft(kept, saved, { secret: 'secret' });
  expect(typed).toEqual({ name: 'b', role: 'r', secret: 'z', added: 1 });
  expect(base).toEqual({ values: { name: 'a', manager: 'x', secret: 'z', added: 1 }, version: '"1"' });
});

// covers: security 14.3.3
test('secrets are left out', () => {
  expect(without({ name: 'a', secret: 'b' }, { secret: 'secret' })).toEqual({ name: 'a' });
});

test('only what was entered has to be entered again', () => {
  const unkept = { secret: 'secret', file: 'file', columns: null } as const;
  expect(lostOf({ name: 'a', secret: '', file: null }, {}, unkept)).toBeUndefined();
  expect(lostOf({ name: 'a', secret: 'saved' }, { secret: 'saved' }, unkept)).toBeUndefined();
  expect(lostOf({ name: 'a', columns: ['email'] }, {}, unkept)).toBeUndefined();
  expect(lostOf({ name: 'a', secret: 'new' }, { secret: 'saved' }, unkept)).toBe('secret');
  expect(lostOf({ name: 'a', secret: '', file: new File([], 'a.csv') }, {}, unkept)).toBe('file');
});

test.each(['nonsense', '7', '{}', '{"suid":"s-1"}'])('other contents of the storage are not a draft: %s', (stored) => {
  sessionStorage.setItem('orchestrate.drafts', stored);
  expect(findDraft('s-1', 'role A')).toBeUndefined();
});
