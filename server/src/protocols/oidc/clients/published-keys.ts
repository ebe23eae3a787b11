import { MINUTE, readJson, SECOND } from '@orchestrate/shared';
import type { Adapter, KoaContextWithOIDC } from 'oidc-provider';
import { z } from 'zod';
import { type CachedKeys, createKeyFetch } from '#core/sign-in/key-fetch.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import type { createOutsideFetch } from '#platform/adapters/outside-fetch.ts';

/** How long fetched keys are used before they are fetched again, in seconds. */
const FRESH_SECONDS = MINUTE / SECOND;
/** Maximum number of URLs whose keys are cached. Each application has one URL. */
const URLS_MAX = 1_000;

/**
 * Returns a client store that adds the keys at a client's `jwks_uri` (RFC 7591 §2) to requests with a client
 * assertion. On its own, the library fetches keys again only if no key verifies the signature, and never within a
 * minute or the response's `max-age`, so removed keys would stay valid and new keys would be rejected at first.
 */
export function withPublishedKeys(
  store: Adapter,
  fetch: ReturnType<typeof createOutsideFetch>,
  currentContext: () => KoaContextWithOIDC | undefined,
): Adapter {
  const sources = new Map<string, ReturnType<typeof createKeyFetch>>();

  function sourceOf(url: string) {
    const source = sources.get(url) ?? createKeyFetch(fetch);
    sources.delete(url);
    sources.set(url, source);
    const [oldest] = sources.keys();
    if (sources.size > URLS_MAX && oldest !== undefined) sources.delete(oldest);
    return source;
  }

  /**
   * Returns the public keys at a URL, fetching them again if the cached keys aren't enough. Returns the last fetched
   * keys if the URL can't be read.
   */
  async function keysAt(url: string, kid: unknown): Promise<CachedKeys['jwks']['keys']> {
    const source = sourceOf(url);
    if (!isEnough(source.cached(), kid)) {
      const request = { method: 'GET', headers: { accept: 'application/json' } };
      await source.fetch(url, request).catch(() => undefined);
    }
    return source.cached()?.jwks.keys.filter(isPublicKey) ?? [];
  }

  return {
    ...store,
    async find(id) {
      const client = await store.find(id);
      const { client_assertion: assertion } = currentContext()?.oidc?.params ?? {};
      if (client?.jwks_uri === undefined || typeof assertion !== 'string') return client;
      const { jwks_uri: url, ...rest } = client;
      return { ...rest, jwks: { keys: await keysAt(url, kidOf(assertion)) } };
    },
  };
}

function isEnough(cached: CachedKeys | undefined, kid: unknown): boolean {
  if (!cached || machineNow() / SECOND - cached.fetchedAt >= FRESH_SECONDS) return false;
  return kid === undefined || cached.jwks.keys.some((key) => key.kid === kid);
}

/** Returns an unverified assertion's `kid`, or undefined if it can't be read. */
const kidOf = (assertion: string): unknown =>
  header.safeParse(readJson(Buffer.from(assertion.split('.', 1)[0] ?? '', 'base64url').toString())).data?.kid;
const header = z.object({ kid: z.unknown() });

/** Returns true for public keys. The library rejects the whole set if it contains anything else. */
const isPublicKey = ({ kty, d }: Record<string, unknown>): boolean =>
  d === undefined && ['RSA', 'EC', 'OKP'].includes(String(kty));
