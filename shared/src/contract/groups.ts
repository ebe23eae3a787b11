import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** A group beside the roles, as it is shown. */
export const groupName = z.object({ groupId: z.string(), displayName: z.string() });
export type GroupName = z.output<typeof groupName>;

export const listGroups = endpoint({
  method: 'GET',
  path: '/org/groups',
  area: 'Applications',
  summary:
    'The groups of the organisation in the order of their names: directories make them, applications may be for them',
  access: { who: 'permission', permission: 'SESSION_MANAGEMENT' },
  reply: z.object({ Items: z.array(groupName) }),
});
