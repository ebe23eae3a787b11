import { type EndpointDefinition, LIMITS } from '@orchestrate/shared';
import type { SWRConfiguration } from 'swr';
import { ApiRefusal } from './api-refusal.ts';

/** The cache key of a read: its call, then its input. */
export type CacheKey = readonly [call: string, input: unknown];

export const cacheKeyOf = (entry: EndpointDefinition, input: unknown): CacheKey => [
  `${entry.method} ${entry.path}`,
  input,
];

const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);

/**
 * How reads are cached (spec 1 §7): for 60 s, not read again on focus, with one retry where that can help. For
 * reconnects there is `RefetchOnReconnect`.
 */
export const cacheOptions: SWRConfiguration = {
  dedupingInterval: LIMITS.cacheMs,
  revalidateOnFocus: false,
  errorRetryCount: 1,
  errorRetryInterval: 1_000,
  shouldRetryOnError: (failure) => !(failure instanceof ApiRefusal && FINAL_STATUSES.has(failure.status)),
};
