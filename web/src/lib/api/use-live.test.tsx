import { loginLive, testDeviceLive } from '@orchestrate/shared';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authStateOf } from '#testing.ts';
import { endSession, startSession } from '../session/session.ts';
import { useLive } from './use-live.ts';

/** Replaces WebSocket, and lets tests control the server's end. */
class Line {
  static readonly OPEN = 1;
  static all: Line[] = [];
  readyState = 0;
  readonly sent: string[] = [];
  readonly url: string;
  readonly protocols: string[];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(url: string, protocols: string[]) {
    this.url = url;
    this.protocols = protocols;
    Line.all.push(this);
  }

  send(text: string) {
    this.sent.push(text);
  }

  close() {
    this.readyState = 3;
  }

  open() {
    this.readyState = Line.OPEN;
    act(() => this.onopen?.());
  }

  says(message: object) {
    act(() => this.onmessage?.({ data: JSON.stringify(message) }));
  }

  breaks(code: number) {
    this.readyState = 3;
    act(() => this.onclose?.({ code }));
  }
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const line = (at: number): Line => {
  const found = Line.all[at];
  if (!found) throw new Error(`There is no connection number ${at}`);
  return found;
};

async function followLogin(loginId: string | null) {
  const hook = renderHook(({ id }) => useLive(loginLive, id === null ? null : { loginId: id }), {
    initialProps: { id: loginId },
  });
  await pass(0);
  return hook;
}

beforeEach(() => {
  vi.useFakeTimers();
  Line.all = [];
  vi.stubGlobal('WebSocket', Line);
  endSession();
});
afterEach(() => {
  vi.useRealTimers();
});

test('returns the last message as the state', async () => {
  const { result } = await followLogin('l-1');
  expect(line(0).url).toBe('ws://localhost:3000/ws/login?loginId=l-1');
  expect(result.current.connection).toBe('connecting');
  line(0).open();
  line(0).says({ op: 'LOGIN', state: 'init' });
  line(0).says({ op: 'LOGIN', state: 'pending' });
  expect(result.current).toMatchObject({ connection: 'open', message: { state: 'pending' } });
});

test('reconnects with increasing delays while keeping the state', async () => {
  const { result } = await followLogin('l-1');
  line(0).open();
  line(0).says({ op: 'LOGIN', state: 'init' });
  line(0).breaks(1006);
  expect(result.current).toMatchObject({ connection: 'reconnecting', message: { state: 'init' } });
  await pass(500);
  expect(Line.all).toHaveLength(2);
  line(1).breaks(1006);
  await pass(999);
  expect(Line.all).toHaveLength(2);
  await pass(1);
  line(2).open();
  line(2).says({ op: 'LOGIN', state: 'success' });
  expect(result.current).toMatchObject({ connection: 'open', message: { state: 'success' } });
});

test.each([1000, 1008])('stays closed after the server closes with %i', async (code) => {
  const { result } = await followLogin('l-1');
  line(0).open();
  line(0).breaks(code);
  await pass(60_000);
  expect(result.current.connection).toBe('closed');
  expect(Line.all).toHaveLength(1);
});

test('connects only with a query, and reconnects when the query changes', async () => {
  const { result, rerender } = await followLogin(null);
  expect(result.current.connection).toBe('closed');
  rerender({ id: 'l-1' });
  await pass(0);
  rerender({ id: 'l-2' });
  await pass(0);
  expect(line(0).readyState).toBe(3);
  expect(line(1).url).toContain('loginId=l-2');
});

test('sends the token as a subprotocol, not in the URL', async () => {
  startSession(authStateOf());
  const { result } = renderHook(() => useLive(testDeviceLive, { qid: 'q-1', org: 'acme' }));
  await pass(0);
  expect(line(0).protocols).toEqual(['orchestrate', 'language.en', expect.stringMatching(/^bearer\.head\./)]);
  expect(line(0).url).not.toContain('head.');
  result.current.send({ op: 'QID', org: 'acme', action: 'TEST' });
  expect(line(0).sent).toEqual([]);
  line(0).open();
  result.current.send({ op: 'QID', org: 'acme', action: 'TEST' });
  expect(line(0).sent).toEqual(['{"op":"QID","org":"acme","action":"TEST"}']);
});

test('retries after 30 seconds if a connection gets no response', async () => {
  const { result } = await followLogin('l-1');
  await pass(30_000);
  expect(result.current.connection).toBe('reconnecting');
  await pass(500);
  expect(Line.all).toHaveLength(2);
  line(1).open();
  await pass(60_000);
  expect(result.current.connection).toBe('open');
});
