import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, orgCode, secret } from '../../fields.ts';
import { eachAppAccess as access } from './app-fields.ts';

const tryCheck = z.object({
  /** What was checked, in a word or two. */
  name: z.string(),
  isMet: z.boolean(),
  /** The finding, in a sentence. */
  detail: z.string(),
});
export type TryCheck = z.output<typeof tryCheck>;

/** The findings of a try. Nothing in them can be used: signatures are cut off, tokens that are secret left out. */
export const appTryResult = z.object({
  checks: z.array(tryCheck),
  /** What the application was given, decoded for reading. */
  documents: z.array(z.object({ name: z.string(), language: z.enum(['json', 'xml']), text: z.string() })),
});
export type AppTryResult = z.output<typeof appTryResult>;

const appTry = z.object({
  tryId: secret(z.string()),
  appId: z.string(),
  appName: z.string(),
  protocol: z.enum(['oidc', 'saml']),
  /** `waiting`: nobody has come back yet; `expired`: nobody will. */
  status: z.enum(['waiting', 'expired', 'passed', 'failed']),
  startedAt: z.string(),
  /** Null until there is a result. */
  result: appTryResult.nullable(),
});
export type AppTry = z.output<typeof appTry>;

const area = 'Applications' as const;

export const beginAppTry = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/try',
  area,
  access,
  unversioned: 'acts',
  summary: 'Begin a sign-in that tries the saved settings of an OIDC or SAML application: where this browser goes',
  params: z.object({ orgCode, appId: id }),
  body: z.object({}),
  reply: z.object({ tryId: secret(z.string()), url: z.string() }),
  refuses: ['ORG_APP_MISSING', 'UNSUPPORTED_ACTION'],
  // It changes nothing.
  events: [],
});

export const getAppTry = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/try/:tryId',
  area,
  access,
  summary: 'The result of a try; kept for a day',
  params: z.object({ orgCode, appId: id, tryId: secret(id) }),
  reply: z.object({ try: appTry }),
  refuses: ['ORG_APP_MISSING'],
});
