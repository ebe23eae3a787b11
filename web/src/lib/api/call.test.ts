import {
  bulkInvite,
  codeOf,
  getProfile,
  getUser,
  login,
  loginState,
  manageDevice,
  readClock,
  readWorldFile,
  testDevice,
  updateUser,
} from '@orchestrate/shared';
import { beforeEach, expect, test, vi } from 'vitest';
import { authStateOf, tokenFor } from '#testing.ts';
import { TIMEOUT_TEXT, UNCONFIRMED_CHANGE_TEXT } from '../notices/result-text.ts';
import { connectToasts, type ToastMessage } from '../notices/toaster.ts';
import { storeLabToken } from '../session/browser-state.ts';
import {
  currentSession,
  endSession,
  hasSessionExpired,
  rememberedOrganisation,
  startSession,
} from '../session/session.ts';
import { ApiRefusal } from './api-refusal.ts';
import { call, validToken } from './call.ts';
import { fetchFile } from './files.ts';

interface Seen {
  method: string;
  path: string;
  bearer: string | null;
  language: string | null;
  body: unknown;
}

/** Replaces the network: records each request and responds with the result of `answer`. */
function network(answer: (request: Seen) => { status?: number; json?: object } | 'unreachable'): Seen[] {
  const seen: Seen[] = [];
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const bearer = headers.get('authorization');
    const language = headers.get('accept-language');
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    const request = { method: init.method ?? 'GET', path, bearer, language, body };
    seen.push(request);
    const reply = answer(request);
    if (reply === 'unreachable') return Promise.reject(new TypeError('fetch failed'));
    return Promise.resolve(Response.json(reply.json ?? { resultCode: 0 }, { status: reply.status ?? 200 }));
  });
  return seen;
}

const fresh = tokenFor('fresh', 600);
const ended = tokenFor('ended', 0);
const authStateWith = (token: string) => authStateOf({ token });
const unauthorised = {
  status: 401,
  json: { resultCode: codeOf('UNAUTHORIZED'), resultName: 'UNAUTHORIZED', message: 'Please sign in.' },
};
const renewedPair = { json: { resultCode: 0, token: fresh, refreshToken: 'second' } };

function setCookie(pair: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API.
  document.cookie = `${pair}; path=/`;
}

/** The toasts of the current test. */
let toasts: ToastMessage[];

beforeEach(() => {
  endSession();
  localStorage.clear();
  toasts = [];
  connectToasts((message) => toasts.push(message));
});

test('requests responses in the page language', async () => {
  const seen = network(() => ({}));
  await call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  expect(seen).toMatchObject([{ language: 'en' }]);
});

test('builds a URL with encoded parameters and without undefined query fields', async () => {
  startSession(authStateWith(fresh));
  const seen = network(() => ({}));
  await call(testDevice, { params: { orgCode: 'a/c' } });
  await call(getUser, { query: { suid: 's 1' } });
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/device/test/a%2Fc',
    'GET /api/user?suid=s+1',
  ]);
  expect(seen[0]?.bearer).toBe(`Bearer ${fresh}`);
});

test('sends no token with a public call', async () => {
  startSession(authStateWith(fresh));
  const seen = network(() => ({ json: { resultCode: codeOf('LOGIN_INIT') } }));
  await call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  expect(seen[0]).toEqual({
    method: 'POST',
    path: '/api/user/login',
    bearer: null,
    language: 'en',
    body: { orgCode: 'acme', mode: 'QID' },
  });
});

test('shares one renewal between all calls that find the token expired', async () => {
  startSession(authStateWith(ended));
  const seen = network(({ path }) => (path === '/api/refresh' ? renewedPair : {}));
  await Promise.all([call(getProfile, {}), call(getUser, { query: {} }), validToken()]);
  expect(seen.filter(({ path }) => path === '/api/refresh')).toHaveLength(1);
  expect(seen.filter(({ path }) => path !== '/api/refresh').map(({ bearer }) => bearer)).toEqual([
    `Bearer ${fresh}`,
    `Bearer ${fresh}`,
  ]);
  expect(currentSession()?.refreshToken).toBe('second');
});

test('renews a token that the server rejects and repeats the call', async () => {
  const revoked = tokenFor('revoked', 600);
  startSession(authStateWith(revoked));
  const seen = network(({ path, bearer }) => {
    if (path === '/api/refresh') return renewedPair;
    return bearer === `Bearer ${fresh}` ? { json: { resultCode: 0, profile: { suid: 's-1' } } } : unauthorised;
  });
  const reply = await call(getProfile, {});
  expect(reply.profile.suid).toBe('s-1');
  expect(seen.map(({ path }) => path)).toEqual(['/api/profile', '/api/refresh', '/api/profile']);
});

// covers: spec 1.4.38, spec 1.8.1, spec 2.4.6
test('signs out on a 401 with a renewed token and remembers the organisation', async () => {
  startSession(authStateWith(tokenFor('revoked', 600)));
  setCookie('portalAccessToken=x');
  setCookie('theme=y');
  network(({ path }) => (path === '/api/refresh' ? renewedPair : unauthorised));
  await expect(call(getProfile, {})).rejects.toMatchObject({ status: 401, resultCode: codeOf('UNAUTHORIZED') });
  expect(currentSession()).toBeNull();
  expect(localStorage.getItem('orchestrate.session')).toBeNull();
  expect(document.cookie).toBe('theme=y');
  expect(rememberedOrganisation()).toBe('acme');
  expect(hasSessionExpired()).toBe(true);
  // No toast, because the sign-in screen reports that the session has ended.
  expect(toasts).toEqual([]);
});

test('signs out if the renewal is refused', async () => {
  startSession(authStateWith(ended));
  network(() => ({
    status: 401,
    json: { resultCode: codeOf('INVALID_SESSION'), resultName: 'INVALID_SESSION', message: 'Your session ended.' },
  }));
  await expect(call(getProfile, {})).rejects.toBeInstanceOf(ApiRefusal);
  expect(currentSession()).toBeNull();
});

test('keeps the session if the network fails', async () => {
  startSession(authStateWith(ended));
  network(() => 'unreachable');
  await expect(call(getProfile, {})).rejects.toMatchObject({
    status: 0,
    message: "Can't reach the portal. Check your connection.",
  });
  expect(currentSession()?.refreshToken).toBe('first');
});

test('throws an error with the server’s message for a refusal sent with HTTP 200', async () => {
  startSession(authStateWith(fresh));
  const refusal = {
    resultCode: codeOf('AT_LEAST_ONE_DEVICE_MUST_EXIST'),
    resultName: 'AT_LEAST_ONE_DEVICE_MUST_EXIST',
    message: 'Last mobile device cannot be disabled',
    requestId: 'req-1',
  };
  network(() => ({ json: refusal }));
  await expect(call(manageDevice, { body: { zid: 'z', suid: 's', action: 'pause' } })).rejects.toMatchObject({
    status: 200,
    ...refusal,
  });
  expect(currentSession()).not.toBeNull();
});

// covers: spec 1.8.2
test('shows a toast if an item is missing and only logs other refusals', async () => {
  startSession(authStateWith(fresh));
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  const missing = {
    resultCode: codeOf('ID_DOESNOT_EXIST'),
    resultName: 'ID_DOESNOT_EXIST',
    message: 'This member does not exist.',
  };
  network(() => ({ status: 404, json: missing }));
  await expect(call(getUser, { query: { suid: 's-9' } })).rejects.toMatchObject(missing);
  expect(toasts).toEqual([{ kind: 'error', text: 'This member does not exist.' }]);
  expect(log).not.toHaveBeenCalled();

  network(() => ({ status: 500, json: { resultCode: codeOf('FAILED'), message: 'No.' } }));
  await expect(call(getUser, { query: {} })).rejects.toMatchObject({ status: 500 });
  expect(toasts).toHaveLength(1);
  expect(log).toHaveBeenCalledOnce();
});

test('returns results that the contract entry declares as success', async () => {
  network(() => ({ json: { resultCode: codeOf('EXPIRED'), state: 'expired' } }));
  const reply = await call(loginState, { params: { loginId: 'l-1' } });
  expect(reply).toEqual({ resultCode: codeOf('EXPIRED'), state: 'expired' });
});

test('throws an error with a default message if the response is not JSON', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>', { status: 502 })));
  await expect(call(login, { body: { mode: 'QID' } })).rejects.toMatchObject({
    status: 502,
    message: 'Something went wrong!',
  });
});

/** Replaces upload requests. The test controls their progress and response. */
function uploads() {
  class Upload extends EventTarget {
    static readonly all: Upload[] = [];
    readonly types: string[] = [];
    readonly upload: { onprogress?: () => void } = {};
    readonly status = 200;
    readonly responseText = '{"resultCode":0}';
    sent: unknown;
    onload?: () => void;
    onabort?: () => void;
    open() {
      Upload.all.push(this);
    }
    setRequestHeader(name: string) {
      this.types.push(name);
    }
    getAllResponseHeaders() {
      return 'content-type: application/json\r\n';
    }
    send(body: unknown) {
      this.sent = body;
    }
    abort() {
      this.onabort?.();
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload);
  return Upload.all;
}

const fileForm = () => {
  const form = new FormData();
  form.set('file', new File(['email'], 'people.csv'));
  return form;
};

test('sends an upload as a form and lets the browser set the boundary', async () => {
  startSession(authStateWith(fresh));
  const sent = uploads();
  const form = fileForm();
  const reply = call(bulkInvite, { body: form });
  await vi.waitFor(() => expect(sent[0]?.sent).toBe(form));
  expect(sent[0]?.types).toEqual(['accept', 'accept-language', 'authorization']);
  sent[0]?.onload?.();
  expect(await reply).toEqual({ resultCode: 0 });
});

test('aborts an upload only after 30 seconds without progress', async () => {
  startSession(authStateWith(tokenFor('fresh', 6_000)));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const sent = uploads();
  let ended: unknown;
  call(bulkInvite, { body: fileForm() }).catch((reason: unknown) => {
    ended = reason;
  });
  await vi.waitFor(() => expect(sent[0]?.sent).toBeDefined());
  for (const _ of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(25_000);
    sent[0]?.upload.onprogress?.();
  }
  expect(ended).toBeUndefined();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ended).toMatchObject({ status: 0, message: UNCONFIRMED_CHANGE_TEXT });
  vi.useRealTimers();
});

test('allows a slow download while it makes progress', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let send: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = controller;
    },
  });
  vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => {
    signal?.addEventListener('abort', () => send?.error(signal.reason));
    return Promise.resolve(new Response(body));
  });
  const file = fetchFile(readWorldFile, {});
  file.catch(() => undefined);
  for (const _ of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(25_000);
    send?.enqueue(new TextEncoder().encode('part '));
  }
  await vi.advanceTimersByTimeAsync(30_000);
  await expect(file).rejects.toMatchObject({ status: 0, message: TIMEOUT_TEXT });
  vi.useRealTimers();
});

test('throws the abort reason instead of a refusal if a call is aborted', async () => {
  const leaving = new AbortController();
  vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => {
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  });
  const called = call(readClock, {}, { signal: leaving.signal });
  leaving.abort();
  await expect(called).rejects.toMatchObject({ name: 'AbortError' });
});

test('sends the lab token instead of the session token to the lab, if a token is stored', async () => {
  startSession(authStateWith(fresh));
  const seen = network(() => ({}));
  await call(readClock, {});
  storeLabToken('open-sesame');
  await call(readClock, {});
  expect(seen.map(({ bearer }) => bearer)).toEqual([null, 'Bearer open-sesame']);
});

test('sends the loaded version and exposes the current state if the version is stale', async () => {
  startSession(authStateWith(fresh));
  const sent: (string | null)[] = [];
  const current = { firstName: 'Mark' };
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    sent.push(new Headers(init.headers).get('if-match'));
    const isRead = init.method === 'GET';
    const body = isRead
      ? { resultCode: 0 }
      : { resultCode: codeOf('INVALID_REQUEST'), resultName: 'INVALID_REQUEST', message: 'Stale.', current };
    const etag = isRead ? '"1"' : '"2"';
    return Promise.resolve(Response.json(body, { status: isRead ? 200 : 412, headers: { etag } }));
  });
  const { etag } = await call(getUser, { query: {} });
  expect(etag).toBe('"1"');
  const names = { primaryAttr: 'E-1', firstName: 'Marc', lastName: 'Wood', primaryEmail: 'marc@acme.test' };
  const refusal = await call(updateUser, { body: names }, { ifMatch: etag }).catch((reason: unknown) => reason);
  expect(refusal).toMatchObject({ status: 412, body: { current, etag: '"2"' } });
  expect(sent).toEqual([null, '"1"']);
});
