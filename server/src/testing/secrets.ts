import type { IncomingHttpHeaders } from 'node:http';
import { readJson } from '@orchestrate/shared';
import request, { type Response as Answer } from 'supertest';

/** Names of fields, parameters and cookies whose values are meant for a single recipient. */
const SECRET_NAMES =
  /^(code|otp|d|qid|did|aid|jws|proof|loginId|appLoginId|approvalId|registrationId)$|(token|secret|password|activationCode|_verifier|privateKey|assertion|SAMLResponse|SAMLRequest|clientDataJSON)$/i;

/** Names that are secret only as query parameters. In other positions, `state` describes progress. */
const SECRET_PARAMETERS = /^(state|nonce|RelayState)$/;

/** Minimum length of a secret. Shorter values would match everywhere. */
const LEAST_LENGTH = 6;

/** Secrets in the requests and responses of a test run, recognised by field name. */
export interface WatchedSecrets {
  /** All secrets seen so far. */
  seen: ReadonlySet<string>;
  /** Returns the secrets contained in a string. */
  in(text: string): string[];
  add(value: string): void;
  stop(): void;
}

/** Observes every `fetch` and supertest request and response. */
export function watchSecrets(): WatchedSecrets {
  const seen = new Set<string>();
  const add = (value: string) => {
    if (value.length >= LEAST_LENGTH) seen.add(value);
  };

  /** Collects all strings in a field with a secret name. */
  function look(value: unknown, name = ''): void {
    if (typeof value === 'string') lookAtText(value, name);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) look(inner, Array.isArray(value) ? name : key);
    }
  }

  function lookAtText(text: string, name: string): void {
    if (SECRET_NAMES.test(name)) add(text);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    for (const part of url ? [url.search, url.hash] : []) {
      for (const [key, value] of new URLSearchParams(part.slice(1))) {
        if (SECRET_PARAMETERS.test(key)) add(value);
        lookAtText(value, key);
      }
    }
  }

  function lookAtHeaders({ authorization, cookie, location, 'set-cookie': setCookie = [] }: IncomingHttpHeaders): void {
    const [scheme, credentials = ''] = (authorization ?? '').split(' ');
    add(credentials);
    if (scheme === 'Basic') add(Buffer.from(credentials, 'base64').toString().split(':')[1] ?? '');
    const cookies = [...(cookie?.split('; ') ?? []), ...setCookie];
    for (const pair of cookies) add(pair.slice(pair.indexOf('=') + 1).split(';')[0] ?? '');
    look(location ?? '');
  }

  function lookAtBody(body: string): void {
    if (/^[[{]/.test(body)) look(readJson(body));
    else if (/^[\w.]+=/.test(body)) look(Object.fromEntries(new URLSearchParams(body)));
    for (const [, name, value] of body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
      look(value, name);
  }

  const plain = (headers: Headers) => ({ ...Object.fromEntries(headers), 'set-cookie': headers.getSetCookie() });
  const passThrough = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const sent = new Request(input, init);
    look(sent.url);
    lookAtHeaders(plain(sent.headers));
    // `Request` drops a cookie header, so read the headers from `init` as well.
    lookAtHeaders(plain(new Headers(init?.headers)));
    if (typeof init?.body === 'string') lookAtBody(init.body);
    else if (init?.body instanceof URLSearchParams) look(Object.fromEntries(init.body));
    const response = await passThrough(input, init);
    lookAtHeaders(plain(response.headers));
    lookAtBody(await response.clone().text());
    return response;
  };

  const { end } = request.Test.prototype;
  request.Test.prototype.end = function (callback) {
    this.once('response', ({ headers, text }: Answer) => {
      const { url, data } = this.toJSON();
      look(url);
      lookAtHeaders({ authorization: this.getHeader('authorization'), cookie: this.getHeader('cookie') });
      if (typeof data === 'string') lookAtBody(data);
      else if (!Buffer.isBuffer(data)) look(data);
      lookAtHeaders({ ...headers, 'set-cookie': [headers['set-cookie'] ?? []].flat() });
      // The text is undefined for an image.
      if (text !== undefined) lookAtBody(text);
    });
    return end.call(this, callback);
  };

  return {
    seen,
    add,
    in: (text) => [...seen].filter((secret) => isIn(text, secret)),
    stop() {
      globalThis.fetch = passThrough;
      request.Test.prototype.end = end;
    },
  };
}

/**
 * Returns true if a string contains a secret. A short secret must be a whole word, because many timestamps contain
 * the same six digits.
 */
function isIn(text: string, secret: string): boolean {
  if (!text.includes(secret)) return false;
  return secret.length >= 16 || text.split(/[^\w-]+/).includes(secret);
}
