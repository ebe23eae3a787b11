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

/** The jsdom instance that Vitest provides. */
declare const jsdom: { reconfigure(settings: { url: string }): void };

/** A WebSocket that behaves like a browser's: without an error listener, an error only closes it. */
class PageSocket extends WebSocket {
  constructor(address: string, protocols?: string[]) {
    super(address, protocols);
    this.on('error', () => undefined);
  }
}

/** Encodes a form as multipart/form-data (RFC 7578), because Node's fetch doesn't support jsdom's FormData. */
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

/** An XMLHttpRequest that uses the page's fetch, because jsdom's requests don't reach a server in the same process. */
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

/** Test file whose first page has already been rendered. */
let renderedFile: string | undefined;

/**
 * Returns StrictMode for the first page of a test file, to detect impure components. Returns Fragment for later
 * pages, because that renders them a third faster.
 */
function nextPageMode(): typeof StrictMode | typeof Fragment {
  const { testPath } = expect.getState();
  const isFirst = testPath !== renderedFile;
  renderedFile = testPath;
  return isFirst ? StrictMode : Fragment;
}

/**
 * Opens a portal path in jsdom, signed out and with empty storage, and renders `screens` there. Calls and live
 * channels go to the real server over the local network.
 */
export function visit(portal: TestPortal, path: string, screens: ReactNode) {
  jsdom.reconfigure({ url: `${portal.url}${path}` });
  window.history.replaceState(null, '');
  localStorage.clear();
  act(endSession);
  // Drop toasts queued by earlier tests.
  connectToasts(() => undefined);
  // Node's fetch doesn't support relative URLs.
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => send(new URL(address, portal.url), init));
  vi.stubGlobal('XMLHttpRequest', PageUpload);
  vi.stubGlobal('WebSocket', PageSocket);
  const Drawing = nextPageMode();
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

/** Renders the text of all toasts. Used instead of the real toast region, which would keep toasts across tests. */
function ToastTexts() {
  const [toasts, setToasts] = useState<string[]>([]);
  useEffect(() => connectToasts(({ text }) => setToasts((before) => [...before, text])), []);
  return <output>{toasts.join('\n')}</output>;
}

/**
 * The private area without its layout: screens with the shell's dialogs and toasts, or a message if the user is
 * signed out.
 */
function PrivateArea({ children }: { children: ReactNode }) {
  const isSignedIn = useSession() !== null;
  return (
    <>
      <RefetchOnReconnect />
      {isSignedIn ? children : <h1>Signed out</h1>}
      {isSignedIn && <Modals />}
      <ToastTexts />
    </>
  );
}

/** Opens a path like `visit` does, but signed in as a seeded user. Returns the result of the sign-in. */
export async function visitSignedIn(portal: TestPortal, email: string, path: string, screens: ReactNode) {
  const state = await portal.signIn(email);
  visit(portal, path, <PrivateArea>{screens}</PrivateArea>);
  act(() => startSession(state));
  return state;
}

/**
 * Holds the request or response of the next call to a path until it is released. The page can still abort the call.
 * `caught` resolves once the call is held, and `answered` once its response has arrived.
 */
export function holdNextCall(path: string, held: 'request' | 'answer') {
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

/** Changes login options of the organisation acme, as an administrator in another browser would. */
export async function changeOrgLoginOptions(portal: TestPortal, changed: Partial<SessionSettings>): Promise<void> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { resultCode: _, ...settings } = (await portal.call(getSessionSettings, {}, { token })).body;
  const { body } = await portal.call(configureSession, { body: { ...settings, ...changed } }, { token });
  expect(body.resultCode).toBe(0);
}

/** Unmounts the page before its portal stops, so that the page doesn't try to reconnect. */
export async function closePage(portal: TestPortal): Promise<void> {
  cleanup();
  await portal.close();
}
