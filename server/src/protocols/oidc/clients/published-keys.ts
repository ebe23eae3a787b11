import { MINUTE, readJson, SECOND } from '@orchestrate/shared';
import type { Adapter } from 'oidc-provider';
import { z } from 'zod';
import { type CachedKeys, createKeyFetch } from '#core/sign-in/key-fetch.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import type { createOutsideFetch } from '#platform/adapters/outside-fetch.ts';

/** How long keys count after they were read, in seconds. */
const FRESH_SECONDS = MINUTE / SECOND;
/** Addresses whose keys are stored; an application has one. */
const ADDRESSES_MAX = 1_000;

/**
 * The store of clients with the keys that they publish at an address (RFC 7591 §2), where one of them signs for itself.
 * The library would read them again only after it has found none that verifies the signature, and not within a minute or
 * the time that the address allows: a key that was removed would count for ever, and a new one too late.
 */
export function withPublishedKeys(
  library: typeof import('oidc-provider'),
  store: Adapter,
  fetch: ReturnType<typeof createOutsideFetch>,
): Adapter {
  const sources = new Map<string, ReturnType<typeof createKeyFetch>>();

  function sourceOf(address: string) {
    const source = sources.get(address) ?? createKeyFetch(fetch);
    sources.delete(address);
    sources.set(address, source);
    const [oldest] = sources.keys();
    if (sources.size > ADDRESSES_MAX && oldest !== undefined) sources.delete(oldest);
    return source;
  }

  /** Returns the keys at an address. If they can't be read now, the last ones count. */
  async function keysAt(address: string, kid: unknown): Promise<CachedKeys['jwks']['keys']> {
    const source = sourceOf(address);
    if (!isEnough(source.cached(), kid)) {
      const request = { method: 'GET', headers: { accept: 'application/json' } };
      await source.fetch(address, request).catch(() => undefined);
    }
    return source.cached()?.jwks.keys.filter(isPublicKey) ?? [];
  }

  return {
    ...store,
    async find(id) {
      const client = await store.find(id);
      const { client_assertion: assertion } = library.Provider.ctx?.oidc?.params ?? {};
      if (client?.jwks_uri === undefined || typeof assertion !== 'string') return client;
      const { jwks_uri: address, ...rest } = client;
      return { ...rest, jwks: { keys: await keysAt(address, kidOf(assertion)) } };
    },
  };
}

function isEnough(cached: CachedKeys | undefined, kid: unknown): boolean {
  if (!cached || machineNow() / SECOND - cached.fetchedAt >= FRESH_SECONDS) return false;
  return kid === undefined || cached.jwks.keys.some((key) => key.kid === kid);
}

/** The key that an assertion names, unverified; undefined if it names none. */
const kidOf = (assertion: string): unknown =>
  header.safeParse(readJson(Buffer.from(assertion.split('.', 1)[0] ?? '', 'base64url').toString())).data?.kid;
const header = z.object({ kid: z.unknown() });

/** Others are refused by the library together with all keys beside them. */
const isPublicKey = ({ kty, d }: Record<string, unknown>): boolean =>
  d === undefined && ['RSA', 'EC', 'OKP'].includes(String(kty));
