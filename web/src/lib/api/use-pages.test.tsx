import { getLoginHistory, LIMITS } from '@orchestrate/shared';
import { act, render } from '@testing-library/react';
import { SWRConfig, type SWRConfiguration } from 'swr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheOptions } from './cache.ts';
import type { CacheGroup } from './cache-groups.ts';
import { usePages } from './use-pages.ts';
import { useInvalidate } from './use-write.ts';

/** Version of the server's two records, each on its own page. */
let edition = 1;
let requests: string[];
let cache: SWRConfiguration;
let list: ReturnType<typeof useRecords>;
let invalidate: (...groups: CacheGroup[]) => Promise<void>;

beforeEach(() => {
  vi.useFakeTimers();
  edition = 1;
  requests = [];
  vi.stubGlobal('fetch', (path: string) => {
    const isSecond = path.includes('lastItem');
    requests.push(isSecond ? 'second' : 'first');
    const records = [{ id: `${isSecond ? 'b' : 'a'}${edition}` }];
    return Promise.resolve(Response.json({ resultCode: 0, records, LastEvaluatedKey: isSecond ? null : { id: 'a' } }));
  });
  const memory = new Map();
  cache = { ...cacheOptions, provider: () => memory };
});
afterEach(() => void vi.useRealTimers());

function useRecords() {
  const { pages, ...rest } = usePages(getLoginHistory, (lastItem) => ({ query: { lastItem } }));
  return { ...rest, ids: pages?.flatMap(({ records }) => records.map(({ id }) => id)) };
}

function List() {
  list = useRecords();
  return null;
}

function Change() {
  invalidate = useInvalidate();
  return null;
}

/** Returns the list in a cache that outlives its screens, like the private area's cache. */
const area = (isListShown: boolean) => (
  <SWRConfig value={cache}>
    <Change />
    {isListShown && <List />}
  </SWRConfig>
);

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

/** Opens the list and loads both pages. Returns functions to leave the list and return to it. */
async function openList() {
  const { rerender } = render(area(true));
  await pass(100);
  await act(() => list.loadMore());
  return {
    leave: () => rerender(area(false)),
    comeBack: () => rerender(area(true)),
  };
}

test('loads a list page by page until the end', async () => {
  render(area(true));
  await pass(100);
  expect(list).toMatchObject({ ids: ['a1'], hasMore: true });
  await act(() => list.loadMore());
  expect(list).toMatchObject({ ids: ['a1', 'b1'], hasMore: false, isLoadingMore: false });
  expect(requests).toEqual(['first', 'second']);
});

test('restores all pages from the cache and reloads them only after 60 s', async () => {
  const { leave, comeBack } = await openList();
  edition = 2;
  leave();
  comeBack();
  await pass(100);
  expect(list.ids).toEqual(['a1', 'b1']);
  leave();
  await pass(LIMITS.cacheMs);
  comeBack();
  expect(list.ids).toEqual(['a1', 'b1']);
  await pass(100);
  expect(list.ids).toEqual(['a2', 'b2']);
});

test('reloads a visible list immediately after a change', async () => {
  await openList();
  edition = 2;
  await act(() => invalidate('Member Login History'));
  expect(list.ids).toEqual(['a2', 'b2']);
});

test('reloads a hidden list when it is displayed again after a change', async () => {
  const { leave, comeBack } = await openList();
  leave();
  edition = 2;
  await act(() => invalidate('Member Login History'));
  comeBack();
  expect(list.ids).toEqual(['a1', 'b1']);
  await pass(100);
  expect(list.ids).toEqual(['a2', 'b2']);
});

test('does not reload a list after an unrelated change', async () => {
  await openList();
  await act(() => invalidate('Device Listing'));
  expect(requests).toEqual(['first', 'second']);
});
