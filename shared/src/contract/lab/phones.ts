import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, id, orgCode, portalText, secret } from '../../fields.ts';
import { denyReason, pendingChallenge } from '../devices/authenticator.ts';

const lab = { who: 'lab' } as const;

/** Ways in which a phone lies: each is refused with its own result, and none signs anyone in. */
export const phoneLie = z.enum([
  /** Signed with a key that isn't the device's. */
  'wrong-key',
  /** A message that has already been sent. */
  'replay',
  /** Changed after signing. */
  'altered',
  /** Signed ten minutes ago. */
  'old',
  /** Signed ten minutes in the future. */
  'future',
  /** Signed for another organisation. */
  'other-audience',
  /** From a device that the portal doesn't know. */
  'unknown-device',
  /** From a device of the organisation that was reported lost. */
  'lost-device',
]);
export type PhoneLie = z.output<typeof phoneLie>;

const number = z.enum(['right', 'wrong']);

export const policyMatch = z.strictObject({
  email: email.optional(),
  zid: id.optional(),
  org: orgCode.optional(),
  kind: pendingChallenge.shape.kind.optional(),
});
export type PolicyMatch = z.output<typeof policyMatch>;

export const TEST_HAS_NO_ANSWER = 'Device tests complete when a phone opens them and cannot be answered';

/** Automatic behaviour of simulated phones when requests reach them. */
export const phonePolicy = z
  .strictObject({
    match: policyMatch,
    answer: z.enum(['approve', 'deny', 'ignore']),
    /** Reason, with `deny`. */
    reason: denyReason.optional(),
    /** Milliseconds of real time until the answer, even while the portal's clock is frozen. */
    afterMs: z.number().int().min(0).max(60_000).default(0),
    /** With `approve`: the number to choose, if the browser displays one. */
    number: number.optional(),
    lie: phoneLie.optional(),
    /** Number of requests it answers; all by default. */
    times: z.number().int().min(1).max(1_000).optional(),
    /**
     * Also immediately opens codes that no one has opened: the match must name a user or device. `ignore` then only
     * opens them.
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
    const isNamed = match.email !== undefined || match.zid !== undefined;
    if (opens && !isNamed) refuse('opens', 'To open codes, match an email or zid');
  });
export type PhonePolicy = z.output<typeof phonePolicy>;

/** The portal's answer to a phone. */
const phoneAnswer = z.object({ resultCode: z.number().int(), resultName: z.string(), message: portalText(z.string()) });
export type PhoneAnswer = z.output<typeof phoneAnswer>;

const policyList = z.object({
  policies: z.array(phonePolicy),
  /** Answers by policies, newest first, at most 200. */
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
    'Delete all phone policies; with a match, only the policy with exactly this match, with `everybody=true` the one that matches everybody',
  access: lab,
  query: policyMatch
    .extend({ everybody: z.literal('true').optional() })
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

/** The person or device that answers a request, and a lie. */
const oneAnswer = z.strictObject({
  /** Email of the person, whose first phone answers, or the zid of a device. */
  as: z.union([email, id]),
  lie: phoneLie.optional(),
});

/**
 * The `loginId`; or the request's qid, typed code, `epoch` (caller authentication) or the `app` of the sign-in page.
 */
const requestParams = z.object({ loginId: secret(id) });

const answered = z.object({
  /** The portal's answer to the phone: with a lie or the wrong number, its refusal. */
  result: phoneAnswer,
});

/** A request that a phone could answer now. */
const openRequest = z.object({
  challengeId: secret(z.string()),
  /** `add-device` waits for a new phone: it is paired with, not approved. */
  kind: z.enum([...pendingChallenge.shape.kind.options, 'add-device']),
  mode: z.string(),
  orgCode: z.string(),
  /** Email of the user it is for, once known. */
  email: z.string().optional(),
  /** The scanned and the typed code, if it has them. */
  qid: z.string().optional(),
  did: z.string().optional(),
  /** The text of the QR code, if it has one and the client was built without its own template. */
  payload: secret(z.url()).optional(),
  /** The number that the browser displays. */
  matchNumber: z.string().optional(),
  appName: z.string().optional(),
  /** True once a device has opened it, or it was sent to one. */
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
    'List the requests that a phone could answer now, with their codes, QR payload and match number; newest first',
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
  body: oneAnswer.extend({ number: number.optional() }),
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
  body: oneAnswer.extend({ reason: denyReason.optional() }),
  reply: answered,
  refuses: ONE_REFUSALS,
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  events: ['lab.phone-answered'],
});
