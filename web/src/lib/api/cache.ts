import { type EndpointDefinition, LIMITS } from '@orchestrate/shared';
import type { SWRConfiguration } from 'swr';
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
  revalidateOnFocus: false,
  errorRetryCount: 1,
  errorRetryInterval: 1_000,
  shouldRetryOnError: (failure) => !(failure instanceof ApiRefusal && FINAL_STATUSES.has(failure.status)),
};
