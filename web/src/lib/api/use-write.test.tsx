import { codeOf, getLoginHistory, getUser, nameDevice } from '@orchestrate/shared';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authStateOf, tokenFor } from '#testing.ts';
import { currentSession, startSession } from '../session/session.ts';
import { ApiRefusal } from './api-refusal.ts';
import { cacheOptions } from './cache.ts';
import RefetchOnReconnect from './refetch-on-reconnect.ts';
import { usePages } from './use-pages.ts';
import { useRead } from './use-read.ts';
import { useWrite } from './use-write.ts';

/** Creates a new cache and stubs the server's responses. */
function portal(answer: (path: string) => { status: number; json: object }) {
  const paths: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    paths.push(path);
    const { status, json } = answer(path);
    return Promise.resolve(Response.json(json, { status }));
  });
  const cache = { ...cacheOptions, provider: () => memory };
  const memory = new Map();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SWRConfig value={cache}>
      <RefetchOnReconnect />
      {children}
    </SWRConfig>
  );
  return { paths, wrapper };
}

const fine = () => ({ status: 200, json: { resultCode: 0 } });
const refusedWith = (status: number) => () => ({ status, json: { resultCode: codeOf('FAILED'), message: 'No.' } });
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

// covers: spec 1.7.32
test('reads from the cache for 60 s, then from the server', async () => {
  const { paths, wrapper } = portal(fine);
  const first = renderHook(() => useRead(getUser, { query: {} }), { wrapper });
  await pass(0);
  first.unmount();
  await pass(59_000);
  const second = renderHook(() => useRead(getUser, { query: {} }), { wrapper });
  await pass(0);
  expect(second.result.current).toMatchObject({ data: { resultCode: 0 }, isLoading: false });
  expect(paths).toHaveLength(1);
  second.unmount();
  await pass(2_000);
  renderHook(() => useRead(getUser, { query: {} }), { wrapper });
  await pass(100);
  expect(paths).toHaveLength(2);
});

test('displays data that was requested before its screen, unless it may have changed', async () => {
  const { paths, wrapper } = portal(fine);
  startSession(authStateOf({ token: tokenFor('avery', 600) }));
  const early = (name: string) => {
    const answer = Promise.resolve(Response.json({ resultCode: 0, name }));
    const authorization = `Bearer ${currentSession()?.token}`;
    window.earlyReads = new Map([['/api/user', { answer, authorization, until: performance.now() + 15_000 }]]);
  };
  early('first');
  const read = renderHook(() => useRead(getUser, { query: {} }), { wrapper });
  await pass(0);
  expect(read.result.current.data).toMatchObject({ name: 'first' });
  expect(paths).toEqual([]);

  early('outdated');
  await act(async () => void (await read.result.current.refetch()));
  expect(read.result.current.data).toEqual({ resultCode: 0 });
  expect(paths).toEqual(['/api/user']);

  const write = renderHook(() => useWrite(nameDevice, { invalidates: ['Device Listing'] }), { wrapper });
  const device = { zid: 'd', suid: 'avery', nickname: 'Phone' };
  early('outdated');
  await act(async () => void (await write.result.current.run({ body: device })));
  expect(read.result.current.data).toEqual({ resultCode: 0 });
  expect(paths).toHaveLength(3);
});

// covers: spec 1.7.33
test('reloads after reconnecting, but not when the window is focused', async () => {
  const { paths, wrapper } = portal(fine);
  renderHook(() => useRead(getUser, { query: {} }), { wrapper });
  await pass(61_000);
  window.dispatchEvent(new Event('focus'));
  await pass(1_000);
  expect(paths).toHaveLength(1);
  window.dispatchEvent(new Event('online'));
  await pass(1_000);
  expect(paths).toHaveLength(2);
});

// covers: spec 1.7.33
test('reloads recent reads once each on reconnect, and lists page by page', async () => {
  const { paths, wrapper } = portal(fine);
  renderHook(
    () => [
      useRead(getUser, { query: {} }),
      useRead(getUser, { query: {} }),
      usePages(getLoginHistory, (lastItem) => ({ query: { lastItem } })),
    ],
    { wrapper },
  );
  await pass(1_000);
  expect(paths).toHaveLength(2);
  window.dispatchEvent(new Event('online'));
  await pass(1_000);
  expect(paths).toHaveLength(4);
});

// covers: spec 1.7.34
test.each([400, 403, 404, 405])('does not retry a refusal with %i', async (status) => {
  const { paths, wrapper } = portal(refusedWith(status));
  const { result } = renderHook(() => useRead(getUser, { query: {} }), { wrapper });
  await pass(60_000);
  expect(paths).toHaveLength(1);
  expect(result.current.refusal).toBeInstanceOf(ApiRefusal);
});

// covers: spec 1.7.34
test('retries every other failure once', async () => {
  const { paths, wrapper } = portal(refusedWith(500));
  const { result } = renderHook(() => useRead(getUser, { query: {} }), { wrapper });
  await pass(60_000);
  expect(paths).toHaveLength(2);
  expect(result.current.refusal?.message).toBe('No.');
});

test('does not read without an input', async () => {
  const { paths, wrapper } = portal(fine);
  const { result } = renderHook(() => useRead(getUser, null), { wrapper });
  await pass(1_000);
  expect(paths).toEqual([]);
  expect(result.current).toMatchObject({ data: undefined, isLoading: false });
});

// covers: spec 1.7.35
test('reloads only the cache groups that a change invalidates', async () => {
  const { paths, wrapper } = portal(fine);
  const { result } = renderHook(
    () => ({
      devices: useRead(getUser, { query: {} }),
      history: useRead(getLoginHistory, { query: {} }),
      rename: useWrite(nameDevice, { invalidates: ['Device Listing'] }),
    }),
    { wrapper },
  );
  await pass(0);
  paths.length = 0;
  await act(() => result.current.rename.run({ body: { zid: 'z', suid: 's', nickname: 'Pocket' } }));
  expect(paths).toEqual(['/api/device/nickname', '/api/user']);
});

test('keeps the refusal of a write until the next run', async () => {
  const { wrapper } = portal(refusedWith(400));
  const { result } = renderHook(() => useWrite(nameDevice), { wrapper });
  const body = { zid: 'z', suid: 's', nickname: 'Pocket' };
  await act(() => expect(result.current.run({ body })).rejects.toBeInstanceOf(ApiRefusal));
  expect(result.current).toMatchObject({ isPending: false, refusal: { message: 'No.' } });
  act(() => result.current.reset());
  expect(result.current.refusal).toBeUndefined();
});
