import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, email, orgCode, queryNumber, secret, text } from '../../fields.ts';
import { appType } from '../members/activation.ts';
import { accountStatus, authState } from '../models.ts';
import { virtualDevice } from './lab.ts';

const lab = { who: 'lab' } as const;

const deviceWish = z.strictObject({
  type: appType.default('mobile'),
  name: displayText(60).optional(),
});

/** Maximum number of devices for a new person. */
const DEVICES_MAX = 5;

/** Maximum number of people listed per response. */
export const PEOPLE_MAX = 10_000;

export const readPeople = endpoint({
  method: 'GET',
  path: '/lab/people',
  area: 'Lab',
  summary: 'List the people of all organisations with their status',
  access: lab,
  query: z.strictObject({
    org: orgCode.optional(),
    /** Primary email address. */
    email: email.optional(),
    status: accountStatus.exclude(['deleted']).optional(),
    limit: queryNumber(1, PEOPLE_MAX).default(1_000),
  }),
  reply: z.object({
    people: z.array(
      z.object({
        suid: z.string(),
        orgCode: z.string(),
        orgName: z.string(),
        fullName: z.string(),
        email: z.string(),
        role: z.string(),
        roleName: z.string(),
        status: accountStatus,
        /** Number of registered devices, simulated or not. */
        deviceCount: z.number().int(),
      }),
    ),
    /** Total number of people, including people who aren't listed. */
    total: z.number().int(),
  }),
  refuses: ['ORG_CODE_NOT_FOUND'],
});
export type ListedPerson = z.output<typeof readPeople.reply>['people'][number];

export const makePerson = endpoint({
  method: 'POST',
  path: '/lab/people',
  area: 'Lab',
  summary: 'Create a person with a phone; every field except the organisation is optional',
  access: lab,
  body: z.strictObject({
    org: orgCode,
    email: email.optional(),
    role: text(40).optional(),
    status: accountStatus.exclude(['deleted']).default('active'),
    /** Devices to create. Default: one phone, or none for people who haven't registered yet. */
    devices: z.array(deviceWish).max(DEVICES_MAX).optional(),
  }),
  reply: z.object({
    suid: z.string(),
    orgCode: z.string(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    primaryAttr: z.string(),
    role: z.string(),
    status: accountStatus,
    devices: z.array(virtualDevice),
  }),
  refuses: ['ORG_CODE_NOT_FOUND', 'USER_EXISTS'],
  events: ['lab.person-made'],
});

export const makeSession = endpoint({
  method: 'POST',
  path: '/lab/sessions',
  area: 'Lab',
  summary: 'Sign a person in with their simulated phone, and also return the session as browser storage',
  access: lab,
  body: z.strictObject({
    email,
    /** Organisation code. Required if the person has a simulated phone in several organisations. */
    org: orgCode.optional(),
  }),
  reply: z.object({
    ...authState.shape,
    /** Session in the format of Playwright's `storageState`. */
    storageState: z.object({
      cookies: z.array(z.never()),
      origins: z.array(
        z.object({
          origin: z.string(),
          localStorage: z.array(z.object({ name: z.string(), value: secret(z.string()) })),
        }),
      ),
    }),
  }),
  refuses: [
    'ORG_CODE_NOT_FOUND',
    'ORG_EMAIL_NOT_FOUND',
    'USER_IN_MULTIPLE_ORGS',
    'AUTHENTICATOR_DISALLOWED',
    'USER_INACTIVE',
    'EXPIRED',
    'IP_NOT_VALID',
    'FAILED',
  ],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404, USER_IN_MULTIPLE_ORGS: 400 },
  events: ['lab.session-made'],
});
