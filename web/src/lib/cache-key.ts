import type { EndpointDefinition } from '@orchestrate/shared';

/** How a read is known in the cache: its call, then its input. */
export type CacheKey = readonly [call: string, input: unknown];

export const cacheKeyOf = (entry: EndpointDefinition, input: unknown): CacheKey => [
  `${entry.method} ${entry.path}`,
  input,
];
