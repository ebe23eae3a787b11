import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const roleType = z.enum(['admin', 'user', 'custom']);

export const listRoles = endpoint({
  method: 'GET',
  path: '/org/roleslist',
  area: 'Roles',
  summary: 'The roles of the organisation, admin roles first',
  access: { who: 'signed-in' },
  reply: z.object({
    Items: z.array(z.object({ roleCode: z.string(), name: z.string(), type: roleType, userCount: z.number().int() })),
  }),
});
