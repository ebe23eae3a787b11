import { slugOf } from './operations.ts';

/** The addresses of the reference; apart from `paths`, which everybody loads. */
export const referencePaths = {
  home: '/docs',
  area: (name: string) => `/docs/areas/${slugOf(name)}`,
  operation: (id: string) => `/docs/${id}`,
  channel: (name: string) => `/docs/sockets/${name}`,
} as const;
