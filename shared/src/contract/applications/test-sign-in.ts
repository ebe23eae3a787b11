import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, orgCode, portalText, secret } from '../../fields.ts';
import { eachAppAccess as access } from './app-fields.ts';

const tryCheck = z.object({
  /** Name of the check, in a word or two. */
  name: portalText(z.string()),
  isMet: z.boolean(),
  /** Result of the check, as a sentence. */
  detail: portalText(z.string()),
});
export type TryCheck = z.output<typeof tryCheck>;

/**
 * Result of a test sign-in. It contains no usable credentials, because signatures are cut off and secret tokens are
 * left out.
 */
export const appTryResult = z.object({
  checks: z.array(tryCheck),
  /** Data received by the application, decoded for reading. */
  documents: z.array(z.object({ name: portalText(z.string()), language: z.enum(['json', 'xml']), text: z.string() })),
});
export type AppTryResult = z.output<typeof appTryResult>;

const appTry = z.object({
  tryId: secret(z.string()),
  appId: z.string(),
  appName: z.string(),
  protocol: z.enum(['oidc', 'saml']),
  /** `waiting`: the browser hasn't returned yet; `expired`: the browser can no longer return. */
  status: z.enum(['waiting', 'expired', 'passed', 'failed']),
  startedAt: z.string(),
  /** Result of the test; null until it is available. */
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
  summary: 'Start a test sign-in with the saved settings of an OIDC or SAML application, and get the URL to open',
  params: z.object({ orgCode, appId: id }),
  body: z.object({}),
  reply: z.object({ tryId: secret(z.string()), url: z.string() }),
  refuses: ['ORG_APP_MISSING', 'UNSUPPORTED_ACTION'],
  // Starting a test doesn't modify any settings, so there is no audit event.
  events: [],
});

export const getAppTry = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/try/:tryId',
  area,
  access,
  summary: 'Get the result of a test sign-in, which is stored for a day',
  params: z.object({ orgCode, appId: id, tryId: secret(id) }),
  reply: z.object({ try: appTry }),
  refuses: ['ORG_APP_MISSING'],
});
