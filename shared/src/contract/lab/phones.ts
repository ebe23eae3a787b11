import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, id, orgCode, portalText, secret } from '../../fields.ts';
import { denyReason, pendingChallenge } from '../devices/authenticator.ts';

const lab = { who: 'lab' } as const;

/** Ways in which a phone can lie. The portal refuses each lie with its own result and signs no one in. */
export const phoneLie = z.enum([
  /** Signed with a key other than the device's. */
  'wrong-key',
  /** Sent a second time. */
  'replay',
  /** Altered after signing. */
  'altered',
  /** Signed ten minutes ago. */
  'old',
  /** Signed ten minutes in the future. */
  'future',
  /** Signed for another organisation. */
  'other-audience',
  /** Sent from a device that the portal doesn't know. */
  'unknown-device',
  /** Sent from one of the organisation's devices that was reported lost. */
  'lost-device',
]);
export type PhoneLie = z.output<typeof phoneLie>;

const number = z.enum(['right', 'wrong']);

export const policyMatch = z.strictObject({
  /** Email address of the user. Default: any user. */
  email: email.optional(),
  /** ID of the device. Default: any simulated phone. */
  zid: id.optional(),
  /** Organisation code. Default: any organisation. */
  org: orgCode.optional(),
  /** Kind of request. Default: any kind. */
  kind: pendingChallenge.shape.kind.optional(),
});
export type PolicyMatch = z.output<typeof policyMatch>;

export const TEST_HAS_NO_ANSWER = 'Device tests complete when a phone opens them and cannot be answered';

/** How simulated phones automatically handle requests that reach them. */
export const phonePolicy = z
  .strictObject({
    /** Requests that the policy answers. An empty match applies to all requests. */
    match: policyMatch,
    /** The phone's answer. `ignore` leaves requests pending. */
    answer: z.enum(['approve', 'deny', 'ignore']),
    /** Reason for denying, with `deny`. Default: none. */
    reason: denyReason.optional(),
    /**
     * Delay before the answer, in milliseconds by the portal's clock: advancing the clock triggers the answer, and while
     * the clock is frozen the answer waits.
     */
    afterMs: z.number().int().min(0).max(60_000).default(0),
    /** Number to choose, with `approve`, if the browser displays one. Default: `right`. */
    number: number.optional(),
    /** Flaw of the phone's signed answer, with `approve` or `deny`. Default: none. */
    lie: phoneLie.optional(),
    /** Number of requests that the policy answers. Default: all requests. */
    times: z.number().int().min(1).max(1_000).optional(),
    /**
     * Also immediately opens codes that no device has opened yet. The match must name a user or device. With
     * `ignore`, the codes are only opened.
     *
     * An application's sign-in page then displays its code without a click, if the application expects this user
     * (`login_hint`, or the subject of a SAML request), or if it expects no particular user and policies open codes
     * for only one user of the organisation.
     */
    opens: z.literal(true).optional(),
  })
  .superRefine((policy, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const { match, answer, reason, number, lie, opens, afterMs } = policy;
    if (reason !== undefined && answer !== 'deny') refuse('reason', `reason only applies to deny, not to ${answer}`);
    if (number !== undefined && answer !== 'approve')
      refuse('number', `number only applies to approve, not to ${answer}`);
    if (lie !== undefined && answer === 'ignore') refuse('lie', 'lie cannot be combined with ignore');
    if (afterMs > 0 && answer === 'ignore')
      refuse('afterMs', 'afterMs only applies to approve and deny, not to ignore');
    if (match.kind === 'test' && answer === 'deny') refuse('answer', TEST_HAS_NO_ANSWER);
    if (match.kind === 'test' && lie !== undefined) refuse('lie', TEST_HAS_NO_ANSWER);
    if (number !== undefined && (match.kind === 'test' || match.kind === 'verbal')) {
      refuse('number', `Requests of kind ${match.kind} have no number`);
    }
    if (opens && match.kind === 'approval') refuse('opens', 'Requests of kind approval have no code to open');
    const isNamed = match.email !== undefined || match.zid !== undefined;
    if (opens && !isNamed) refuse('opens', 'To open codes, match an email or zid');
  });
export type PhonePolicy = z.output<typeof phonePolicy>;

/** The portal's response to a phone. */
const phoneAnswer = z.object({ resultCode: z.number().int(), resultName: z.string(), message: portalText(z.string()) });
export type PhoneAnswer = z.output<typeof phoneAnswer>;

const policyList = z.object({
  policies: z.array(phonePolicy),
  /** Requests that policies answered, newest first, at most 200. */
  answered: z.array(
    z.object({
      challengeId: secret(z.string()),
      kind: z.string(),
      zid: z.string(),
      at: z.string(),
      policy: phonePolicy,
      result: phoneAnswer,
    }),
  ),
});

export const readPolicies = endpoint({
  method: 'GET',
  path: '/lab/policies',
  area: 'Lab',
  summary: 'List the policies of simulated phones, and their latest answers',
  access: lab,
  reply: policyList,
});

export const setPolicy = endpoint({
  method: 'PUT',
  path: '/lab/policies',
  area: 'Lab',
  summary: 'Make simulated phones answer automatically; replaces the policy with the same match',
  access: lab,
  body: phonePolicy,
  reply: policyList,
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  refusesWith: { 409: 'INVALID_REQUEST' },
  events: ['lab.policy-set'],
});

export const clearPolicies = endpoint({
  method: 'DELETE',
  path: '/lab/policies',
  area: 'Lab',
  summary:
    'Delete all phone policies; with a match, only the policy with exactly this match; with `everybody=true`, only the policy that matches everybody',
  access: lab,
  query: policyMatch
    .extend({
      /** `true` to delete only the policy with an empty match. */
      everybody: z.literal('true').optional(),
    })
    .superRefine(({ everybody, ...match }, context) => {
      const message = 'everybody means the empty match and cannot be combined with other fields';
      if (everybody && Object.keys(match).length > 0) {
        context.addIssue({ code: 'custom', path: ['everybody'], message });
      }
    }),
  reply: z.object({}),
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  events: ['lab.policies-cleared'],
});

/** The person or device that answers a request, and optionally a lie. */
const oneAnswer = z.strictObject({
  /** A person's email, to answer with their first phone, or a device's zid. */
  as: z.union([email, id]),
  /** Flaw of the phone's signed answer. Default: none. */
  lie: phoneLie.optional(),
});

/**
 * The `loginId`. Alternatively the request's qid, its typed code, its `epoch` (caller authentication) or the sign-in
 * page's `app`.
 */
const requestParams = z.object({ loginId: secret(id) });

const answered = z.object({
  /** The portal's response to the phone. With a lie or the wrong number, this is the refusal. */
  result: phoneAnswer,
});

/** A request that a phone could answer now. */
const openRequest = z.object({
  challengeId: secret(z.string()),
  /** `add-device` waits for a new phone, which is paired instead of approving the request. */
  kind: z.enum([...pendingChallenge.shape.kind.options, 'add-device']),
  mode: z.string(),
  orgCode: z.string(),
  /** Email of the user who is signing in, once known. */
  email: z.string().optional(),
  /** Code to scan, if the request has one. */
  qid: z.string().optional(),
  did: z.string().optional(),
  /** The QR code's content, if the request has a QR code and the client was built without its own template. */
  payload: secret(z.url()).optional(),
  /** The number that the browser displays. */
  matchNumber: z.string().optional(),
  appName: z.string().optional(),
  /** True once a device has opened the request, or if the request was sent to a device. */
  isOpened: z.boolean(),
  requestedAt: z.string(),
  expiresAt: z.string(),
});
export type OpenRequest = z.output<typeof openRequest>;

export const readRequests = endpoint({
  method: 'GET',
  path: '/lab/requests',
  area: 'Lab',
  summary:
    'List the requests that a phone could answer now, with their codes, QR payload and match number, newest first',
  access: lab,
  reply: z.object({ requests: z.array(openRequest) }),
});

const ONE_REFUSALS = [
  'ORG_EMAIL_NOT_FOUND',
  'EXPIRED',
  'AUTHENTICATOR_DISALLOWED',
  'DID_NOT_ENABLED',
  'DESKTOP_DOES_NOT_SUPPORT_DID',
  'DEVICE_NOT_TRUSTED',
  'DEVICE_INACTIVE',
  'USER_INACTIVE',
  'FAILED',
] as const;

export const approveRequest = endpoint({
  method: 'POST',
  path: '/lab/logins/:loginId/approve',
  area: 'Lab',
  summary: 'Approve a sign-in, application sign-in or caller authentication with a simulated phone',
  access: lab,
  params: requestParams,
  body: oneAnswer.extend({
    /** Number to choose, if the browser displays one. Default: `right`. */
    number: number.optional(),
  }),
  reply: answered,
  refuses: ONE_REFUSALS,
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  events: ['lab.phone-answered'],
});

export const denyRequest = endpoint({
  method: 'POST',
  path: '/lab/logins/:loginId/deny',
  area: 'Lab',
  summary: 'Deny a sign-in, application sign-in or caller authentication with a simulated phone',
  access: lab,
  params: requestParams,
  body: oneAnswer.extend({
    /** Reason for denying. Default: none. */
    reason: denyReason.optional(),
  }),
  reply: answered,
  refuses: ONE_REFUSALS,
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  events: ['lab.phone-answered'],
});
