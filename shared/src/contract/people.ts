import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, queryNumber, text } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import { device, loginRecord, member } from './models.ts';

/** Names a member; the caller where both are absent. */
const memberQuery = z.object({ primaryAttr: text(254).optional(), suid: id.optional() });

export const getUser = endpoint({
  method: 'GET',
  path: '/user',
  area: 'People',
  summary: 'A member with the registered devices',
  access: { who: 'member', own: true, reports: ['GET_ALL_REPORTEES'], others: ['SEARCH_USER'] },
  query: memberQuery,
  reply: z.object({ profile: member, devices: z.array(device) }),
});

/** Where the next page begins: the last row of this one. */
const loginHistoryKey = z.object({ timestamp: z.string(), id: z.string() });

export const getLoginHistory = endpoint({
  method: 'GET',
  path: '/user/loginhistory',
  area: 'People',
  summary: 'Sign-ins of a member, newest first, keyset paged',
  access: { who: 'member', own: true, reports: ['GET_ALL_REPORTEES'], others: ['SEARCH_USER'] },
  query: memberQuery.extend({
    count: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous answer's `LastEvaluatedKey`, as JSON. */
    lastItem: text(500).optional(),
  }),
  reply: z.object({ records: z.array(loginRecord), LastEvaluatedKey: loginHistoryKey.nullable() }),
  refuses: ['AUTH_HISTORY_MISSING'],
});
