import type { EndpointDefinition } from '@orchestrate/shared';

/** The cache key of a read: its call, then its input. */
export type CacheKey = readonly [call: string, input: unknown];

export const cacheKeyOf = (entry: EndpointDefinition, input: unknown): CacheKey => [
  `${entry.method} ${entry.path}`,
  input,
];
