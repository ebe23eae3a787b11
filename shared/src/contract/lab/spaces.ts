import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { clockTime, displayText, id } from '../../fields.ts';
import { seedChoice, WORLD_BYTES } from '../world/world.ts';

const lab = { who: 'lab' } as const;

/** Maximum number of spaces. */
export const SPACES_MAX = 100;
/** Minutes without requests after which a space ends automatically. */
export const SPACE_IDLE_MINUTES = 30;

const space = z.object({
  spaceId: z.string(),
  name: z.string(),
  /** Origin of the space, which is a separate portal on its own port. */
  url: z.string(),
  /** Origin for servers in another network, if the portal has a name for them (`BACKCHANNEL_URL`). */
  backchannelUrl: z.string().optional(),
  startedAt: z.string(),
  lastUsedAt: z.string(),
});
export type Space = z.output<typeof space>;

export const makeSpace = endpoint({
  method: 'POST',
  path: '/lab/spaces',
  area: 'Lab',
  summary: 'Start a separate portal with its own data, keys, clock, faults, policies, outbox and cookies',
  access: lab,
  body: z
    .strictObject({
      /** Initial state: `demo`, `none` or a world. Default: the seed of this portal. */
      seed: seedChoice.optional(),
      /** ID of a snapshot of this portal, used instead of a seed: data, clock, faults and policies. */
      from: id.optional(),
      /** Human-readable name. Default: the space's ID. */
      name: displayText(60).optional(),
      /** Time at which the space's clock is frozen. By default, the clock runs. */
      now: clockTime.optional(),
    })
    .refine(({ seed, from }) => seed === undefined || from === undefined, {
      path: ['from'],
      message: 'seed and from cannot be combined',
    })
    .optional(),
  bodyBytes: WORLD_BYTES,
  reply: space,
  refuses: ['UNSUPPORTED_ACTION', 'ID_DOESNOT_EXIST'],
  refusesWith: { 409: 'INVALID_REQUEST' },
  events: ['lab.space-started'],
});

export const listSpaces = endpoint({
  method: 'GET',
  path: '/lab/spaces',
  area: 'Lab',
  summary: 'List the spaces, oldest first',
  access: lab,
  reply: z.object({ spaces: z.array(space) }),
  refuses: ['UNSUPPORTED_ACTION'],
});

export const endSpace = endpoint({
  method: 'DELETE',
  path: '/lab/spaces/:spaceId',
  area: 'Lab',
  summary: 'End a space and delete its data',
  access: lab,
  params: z.object({ spaceId: id }),
  reply: z.object({}),
  refuses: ['UNSUPPORTED_ACTION'],
  refusesWith: { 410: 'ID_DOESNOT_EXIST' },
  events: ['lab.space-ended'],
});
