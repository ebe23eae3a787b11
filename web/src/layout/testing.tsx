import { ChakraProvider } from '@chakra-ui/react';
import { type TestPortal, WebSocket } from '@orchestrate/server/testing';
import { configureSession, getSessionSettings, type SessionSettings } from '@orchestrate/shared';
import { act, cleanup, render } from '@testing-library/react';
import { Fragment, type ReactNode, StrictMode, useEffect, useState } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { expect, vi } from 'vitest';
import { cacheOptions } from '../lib/api/cache-options.ts';
import { connectToasts } from '../lib/notices/toaster.ts';
import { endSession, startSession, useSession } from '../lib/session/session.ts';
import { system } from '../theme.ts';
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
async function onTheWire(form: FormData, init: RequestInit): Promise<RequestInit> {
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
  const headers = new Headers(init.headers);
  headers.set('content-type', `multipart/form-data; boundary=${boundary}`);
  return { ...init, headers, body: Buffer.concat(parts) };
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
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const sent = init.body instanceof FormData ? await onTheWire(init.body, init) : init;
    return send(new URL(address, portal.url), sent);
  });
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
