import { type EndpointDefinition, getOrgSettings, LIMITS } from '@orchestrate/shared';
import { type SWRConfiguration, unstable_serialize } from 'swr';
import { start } from '../browser/preload-screens.ts';
import { ApiRefusal } from './api-refusal.ts';

/** Cache key of a read: method and path, then the input. */
export type CacheKey = readonly [call: string, input: unknown];

export const cacheKeyOf = (entry: EndpointDefinition, input: unknown): CacheKey => [
  `${entry.method} ${entry.path}`,
  input,
];

const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);

/**
 * Caches reads for 60 s without revalidation on focus, and retries a failed read once unless its status is final
 * (spec 1 §7). `RefetchOnReconnect` handles reconnects.
 */
export const cacheOptions: SWRConfiguration = {
  dedupingInterval: LIMITS.cacheMs,
  // Lets the first screen render at once.
  fallback: start?.settings
    ? { [unstable_serialize(cacheKeyOf(getOrgSettings, { query: { code: start.orgCode } }))]: start.settings }
    : {},
  revalidateOnFocus: false,
  errorRetryCount: 1,
  errorRetryInterval: 1_000,
  shouldRetryOnError: (failure) => !(failure instanceof ApiRefusal && FINAL_STATUSES.has(failure.status)),
};
