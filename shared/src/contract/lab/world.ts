import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { secret } from '../../fields.ts';
import type { World } from '../world/world.ts';

const lab = { who: 'lab' } as const;

export const readWorld = endpoint({
  method: 'GET',
  path: '/lab/world',
  area: 'Lab',
  summary: 'Everything of this portal as a world: as the seed of a reset or a space it gives the same portal again',
  access: lab,
  reply: z.object({ world: secret(z.custom<World>()) }),
});

export const readWorldFile = endpoint({
  method: 'GET',
  path: '/lab/world.yaml',
  area: 'Lab',
  summary: 'The world as a file, for SEED',
  access: lab,
  reply: z.object({}),
  document: 'application/yaml',
});

export const readWorldSchema = endpoint({
  method: 'GET',
  path: '/lab/world/schema',
  area: 'Lab',
  summary: 'The JSON Schema of a world, for editors',
  access: lab,
  reply: z.object({}),
  document: 'application/schema+json',
});
