import { ChakraProvider } from '@chakra-ui/react';
import { type TestPortal, WebSocket } from '@orchestrate/server/testing';
import { configureSession, getSessionSettings, type SessionSettings } from '@orchestrate/shared';
import { act, cleanup, render } from '@testing-library/react';
import { Fragment, type ReactNode, StrictMode, useEffect, useState } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { expect, vi } from 'vitest';
import { cacheOptions } from '#lib/api/cache.ts';
import RefetchOnReconnect from '#lib/api/refetch-on-reconnect.ts';
import { connectToasts } from '#lib/notices/toaster.ts';
import { endSession, startSession, useSession } from '#lib/session/session.ts';
import { system } from '#theme.ts';
import { Modals } from './modals.tsx';

/** The page that vitest's jsdom has loaded. */
declare const jsdom: { reconfigure(settings: { url: string }): void };

/** As in a browser, an error without a listener is just a close. */
class PageSocket extends WebSocket {
  constructor(address: string, protocols?: string[]) {
    super(address, protocols);
    this.on('error', () => undefined);
  }
}

/** Encodes a form for the wire (RFC 7578): Node's fetch does not know jsdom's forms. */
async function encodeForm(form: FormData): Promise<{ type: string; body: Uint8Array<ArrayBuffer> }> {
  const boundary = 'a-boundary-of-this-test';
  const parts: Uint8Array[] = [];
  const write = (text: string) => parts.push(new TextEncoder().encode(text));
  for (const [name, value] of form) {
    const file = typeof value === 'string' ? '' : `; filename="${value.name}"`;
    write(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`);
    if (typeof value === 'string') write(value);
    else parts.push(new Uint8Array(await value.arrayBuffer()));
    write('\r\n');
  }
  write(`--${boundary}--\r\n`);
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}

/** An upload: jsdom's own requests don't reach a server in the same process, so it goes through the page's fetch. */
class PageUpload {
  readonly upload: { onprogress?: () => void; onload?: () => void } = {};
  status = 0;
  responseText = '';
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  private readonly headers = new Headers();
  private readonly ending = new AbortController();
  private answered = new Headers();
  private method = '';
  private address = '';

  open(method: string, address: string) {
    this.method = method;
    this.address = address;
  }

  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value);
  }

  getAllResponseHeaders() {
    return [...this.answered].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }

  abort() {
    this.ending.abort();
    this.onabort?.();
  }

  send(form: FormData) {
    this.exchange(form).then(
      () => this.onload?.(),
      () => this.onerror?.(),
    );
  }

  private async exchange(form: FormData) {
    const { method, headers, ending } = this;
    const { type, body } = await encodeForm(form);
    headers.set('content-type', type);
    const answer = await fetch(this.address, { method, headers, body, signal: ending.signal });
    this.responseText = await answer.text();
    this.status = answer.status;
    this.answered = answer.headers;
  }
}

/** The test file whose first page has already been rendered. */
let begun: string | undefined;

/**
 * Strict mode, as in development, for the first page of a test file: it reveals impure components, and skipping it
 * makes the other pages a third faster.
 */
function drawingOfNextPage(): typeof StrictMode | typeof Fragment {
  const { testPath } = expect.getState();
  const isFirst = testPath !== begun;
  begun = testPath;
  return isFirst ? StrictMode : Fragment;
}

/**
 * Opens a path of the portal in this test's browser, signed out and remembering nothing, and renders `screens` there.
 * Calls and live channels go to the real server over the local network.
 */
export function visit(portal: TestPortal, path: string, screens: ReactNode) {
  jsdom.reconfigure({ url: `${portal.url}${path}` });
  window.history.replaceState(null, '');
  localStorage.clear();
  act(endSession);
  // What an earlier test's page said when nothing drew toasts is not this page's news.
  connectToasts(() => undefined);
  // Node's fetch has no page that an address could be relative to.
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => send(new URL(address, portal.url), init));
  vi.stubGlobal('XMLHttpRequest', PageUpload);
  vi.stubGlobal('WebSocket', PageSocket);
  const Drawing = drawingOfNextPage();
  return render(
    <Drawing>
      <ChakraProvider value={system}>
        <SWRConfig value={{ ...cacheOptions, provider: () => new Map() }}>
          <BrowserRouter>{screens}</BrowserRouter>
        </SWRConfig>
      </ChakraProvider>
    </Drawing>,
  );
}

/** The texts of all toasts, one below the other; the real region would keep them from test to test. */
function SaidInToasts() {
  const [said, setSaid] = useState<string[]>([]);
  useEffect(() => connectToasts(({ text }) => setSaid((before) => [...before, text])), []);
  return <output>{said.join('\n')}</output>;
}

/**
 * The private area without its frame: the screens with the shell's dialogs and toasts, or a note that nobody is signed
 * in.
 */
function PrivateArea({ children }: { children: ReactNode }) {
  const isSignedIn = useSession() !== null;
  return (
    <>
      <RefetchOnReconnect />
      {isSignedIn ? children : <h1>Signed out</h1>}
      {isSignedIn && <Modals />}
      <SaidInToasts />
    </>
  );
}

/** Like `visit`, signed in as a seeded person. Returns what the sign-in gave. */
export async function visitSignedIn(portal: TestPortal, email: string, path: string, screens: ReactNode) {
  const state = await portal.signIn(email);
  visit(portal, path, <PrivateArea>{screens}</PrivateArea>);
  act(() => startSession(state));
  return state;
}

/**
 * Holds the next call to a path until it is released: its request, which then reaches the server late, or its answer.
 * Like a real call, it ends when the page aborts it. `caught` resolves once it is held, `answered` once its answer has come.
 */
export function holdNext(path: string, held: 'request' | 'answer') {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: caught, resolve: isCaught } = Promise.withResolvers<void>();
  const { promise: answered, resolve: isAnswered } = Promise.withResolvers<void>();
  let isHolding = true;
  const send = globalThis.fetch;
  const sendLate = async (address: string, init?: RequestInit) => {
    if (held === 'request') await released;
    const answer = await send(address, init);
    if (held === 'answer') await released;
    isAnswered();
    return answer;
  };
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    if (!isHolding || !address.startsWith(path)) return send(address, init);
    isHolding = false;
    isCaught();
    const aborted = new Promise<never>((_, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
    );
    return Promise.race([sendLate(address, init), aborted]);
  });
  return { caught, answered, release };
}

/** Changes login options of the whole organisation acme, as an administrator does in another browser. */
export async function ruleForAll(portal: TestPortal, changed: Partial<SessionSettings>): Promise<void> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { resultCode: _, ...settings } = (await portal.call(getSessionSettings, {}, { token })).body;
  const { body } = await portal.call(configureSession, { body: { ...settings, ...changed } }, { token });
  expect(body.resultCode).toBe(0);
}

/** Leaves the page before its portal stops: an open one would try to reconnect. */
export async function leave(portal: TestPortal): Promise<void> {
  cleanup();
  await portal.close();
}
