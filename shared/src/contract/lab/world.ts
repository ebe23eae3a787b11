import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { secret } from '../../fields.ts';
import type { World } from '../world/world.ts';

const lab = { who: 'lab' } as const;

export const readWorld = endpoint({
  method: 'GET',
  path: '/lab/world',
  area: 'Lab',
  summary: 'Export this portal as a world, which can be used as a seed for a reset or a space',
  access: lab,
  reply: z.object({ world: secret(z.custom<World>()) }),
});

export const readWorldFile = endpoint({
  method: 'GET',
  path: '/lab/world.yaml',
  area: 'Lab',
  summary: 'Export the world as a file, for `SEED`',
  access: lab,
  reply: z.object({}),
  document: 'application/yaml',
});

export const readWorldSchema = endpoint({
  method: 'GET',
  path: '/lab/world/schema',
  area: 'Lab',
  summary: 'Get the JSON Schema of the world format, for editors',
  access: lab,
  reply: z.object({}),
  document: 'application/schema+json',
});
