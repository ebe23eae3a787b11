import { beforeEach, expect, test } from 'vitest';
import { removeDataOfOtherUsers } from '#lib/session/personal-storage.ts';
import { startSession } from '#lib/session/session.ts';
import { authStateOf } from '#testing.ts';
import {
  completeDraft,
  dropDraft,
  findDraft,
  findDraftOnPage,
  lostInputOf,
  storeDraft,
  withoutOmitted,
} from './drafts.ts';

const draft = { base: { values: { name: 'a' }, version: '"1"' }, typed: { name: 'b' }, path: '/' };
beforeEach(() => {
  // Start a session, because drafts aren't stored after a sign-out, and test files share the module that remembers a
  // sign-out.
  startSession(authStateOf());
  sessionStorage.clear();
});

test('restores a draft for the same user until it is discarded', () => {
  storeDraft('s-1', 'role A', draft);
  storeDraft('s-1', 'role B', draft);
  expect(findDraft('s-1', 'role A')).toEqual(draft);
  expect(findDraftOnPage('s-1', 'role ')).toBe('A');
  dropDraft('role A');
  expect(findDraft('s-1', 'role A')).toBeUndefined();
  expect(findDraft('s-1', 'role B')).toEqual(draft);
});

test('hides a draft from other users and deletes it when another user signs in', () => {
  storeDraft('s-1', 'role A', draft);
  expect(findDraft('s-2', 'role A')).toBeUndefined();
  removeDataOfOtherUsers('s-2');
  expect(sessionStorage).toHaveLength(0);
  expect(findDraft('s-1', 'role A')).toBeUndefined();
});

test('finds a draft only on the page where it was typed', () => {
  storeDraft('s-1', 'role A', { ...draft, path: '/elsewhere' });
  expect(findDraftOnPage('s-1', 'role ')).toBeUndefined();
});

test('keeps cleared fields empty and fills fields missing from the draft with server values', () => {
  storeDraft<Record<string, unknown>>('s-1', 'role A', {
    base: { values: { name: 'a', manager: 'x' }, version: '"1"' },
    typed: { name: 'b', manager: undefined, role: 'r' },
    path: '/',
  });
  const draft = findDraft<Record<string, unknown>>('s-1', 'role A');
  if (!draft) throw new Error('There is no draft.');
  const saved = { name: 's', manager: 'y', role: 'q', secret: 'z', added: 1 };
  const { base, typed } = completeDraft(draft, saved, { secret: 'secret' });
  expect(typed).toEqual({ name: 'b', role: 'r', secret: 'z', added: 1 });
  expect(base).toEqual({ values: { name: 'a', manager: 'x', secret: 'z', added: 1 }, version: '"1"' });
});

// covers: security 14.3.3
test('omits secrets', () => {
  expect(withoutOmitted({ name: 'a', secret: 'b' }, { secret: 'secret' })).toEqual({ name: 'a' });
});

test('asks for an omitted field again only if it had been filled in', () => {
  const omitted = { secret: 'secret', file: 'file', columns: null } as const;
  expect(lostInputOf({ name: 'a', secret: '', file: null }, {}, omitted)).toBeUndefined();
  expect(lostInputOf({ name: 'a', secret: 'saved' }, { secret: 'saved' }, omitted)).toBeUndefined();
  expect(lostInputOf({ name: 'a', columns: ['email'] }, {}, omitted)).toBeUndefined();
  expect(lostInputOf({ name: 'a', secret: 'new' }, { secret: 'saved' }, omitted)).toBe('secret');
  expect(lostInputOf({ name: 'a', secret: '', file: new File([], 'a.csv') }, {}, omitted)).toBe('file');
});

test.each(['nonsense', '7', '{}', '{"suid":"s-1"}'])('ignores a stored value that is not a draft: %s', (stored) => {
  sessionStorage.setItem('orchestrate.drafts', stored);
  expect(findDraft('s-1', 'role A')).toBeUndefined();
});
