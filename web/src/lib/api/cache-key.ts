import type { EndpointDefinition } from '@orchestrate/shared';

/** The cache key of a read: its call, then its input. */
export type CacheKey = readonly [call: string, input: unknown];

export const cacheKeyOf = (entry: EndpointDefinition, input: unknown): CacheKey => [
  `${entry.method} ${entry.path}`,
  input,
];

/** Whether a key is one of `cacheKeyOf`; others stand for what must happen only once, such as a sign-in. */
export const isCallKey = (key: unknown): boolean =>
  Array.isArray(key) && typeof key[0] === 'string' && /^[A-Z]+ \//.test(key[0]);
