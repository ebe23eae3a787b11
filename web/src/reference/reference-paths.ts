import { slugOf } from './operations.ts';

/** Paths of the reference, separate from `paths`, which every page loads. */
export const referencePaths = {
  home: '/docs',
  area: (name: string) => `/docs/areas/${slugOf(name)}`,
  operation: (id: string) => `/docs/${id}`,
  channel: (name: string) => `/docs/sockets/${name}`,
} as const;
