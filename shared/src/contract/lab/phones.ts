import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, id, orgCode, secret } from '../../fields.ts';
import { denyReason, pendingChallenge } from '../devices/authenticator.ts';

const lab = { who: 'lab' } as const;

/** How a phone lies: each is refused in its own way, and signs nobody in. */
export const phoneLie = z.enum([
  /** Signed with a key that isn't the device's. */
  'wrong-key',
  /** A message that has been sent before. */
  'replay',
  /** Changed after it was signed. */
  'altered',
  /** Signed ten minutes ago. */
  'old',
  /** Signed ten minutes from now. */
  'future',
  /** Signed for another organisation. */
  'other-audience',
  /** From a device that the portal has never seen. */
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

export const TEST_HAS_NO_ANSWER = 'A device test is complete once a phone has opened it: there is no answer to it';

/** What simulated phones do by themselves with the requests that reach them. */
export const phonePolicy = z
  .strictObject({
    match: policyMatch,
    answer: z.enum(['approve', 'deny', 'ignore']),
    /** With `deny`: why. */
    reason: denyReason.optional(),
    /** Milliseconds of real time until the answer, even while the portal's clock is frozen. */
    afterMs: z.number().int().min(0).max(60_000).default(0),
    /** With `approve`: which of the numbers is chosen, where the browser shows one. */
    number: number.optional(),
    lie: phoneLie.optional(),
    /** How many requests it answers; without it all. */
    times: z.number().int().min(1).max(1_000).optional(),
    /**
     * Also opens codes that no one has opened, at once: the match must name a person or device. `ignore` then only
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
      refuse('number', `A request of kind ${match.kind} shows no number`);
    }
    const isNamed = match.email !== undefined || match.zid !== undefined;
    if (opens && !isNamed) refuse('opens', 'Codes can only be opened by a member. Match an email or zid');
  });
export type PhonePolicy = z.output<typeof phonePolicy>;

/** The portal's answer to a phone. */
const phoneAnswer = z.object({ resultCode: z.number().int(), resultName: z.string(), message: z.string() });
export type PhoneAnswer = z.output<typeof phoneAnswer>;

const policyList = z.object({
  policies: z.array(phonePolicy),
  /** What policies have done, newest first, at most 200. */
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
  summary: 'What simulated phones do by themselves, and what they have done',
  access: lab,
  reply: policyList,
});

export const setPolicy = endpoint({
  method: 'PUT',
  path: '/lab/policies',
  area: 'Lab',
  summary: 'Let simulated phones answer by themselves; replaces the policy with the same match',
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
    'No simulated phone answers by itself any more; with a match only the policy that has exactly this one is forgotten, with `everybody=true` the one that matches everybody',
  access: lab,
  query: policyMatch
    .extend({ everybody: z.literal('true').optional() })
    .superRefine(({ everybody, ...match }, context) => {
      const message = 'everybody stands for the empty match. Omit either it or the others';
      if (everybody && Object.keys(match).length > 0) {
        context.addIssue({ code: 'custom', path: ['everybody'], message });
      }
    }),
  reply: z.object({}),
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  events: ['lab.policies-cleared'],
});

/** Who answers a request, and how. */
const oneAnswer = z.strictObject({
  /** Email address of the person, whose first phone answers, or the zid of a device. */
  as: z.union([email, id]),
  lie: phoneLie.optional(),
});

/** The `loginId`; or the request's qid, typed code, `epoch` (verbal) or the `app` of the sign-in page. */
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
  /** Whom it is for, once that is known. */
  email: z.string().optional(),
  /** The scanned and the typed code, where it has them. */
  qid: z.string().optional(),
  did: z.string().optional(),
  /** The text of the QR code, where it has one and the client was built without a template of its own. */
  payload: secret(z.url()).optional(),
  /** The number that the browser shows. */
  matchNumber: z.string().optional(),
  appName: z.string().optional(),
  /** Whether a device has opened it, or it was sent to one. */
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
    'Everything that a phone could answer now, with its codes, what its QR code says, and the number that the browser shows; newest first',
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
  summary: 'A simulated phone approves this sign-in, application sign-in or verbal request now',
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
  summary: 'A simulated phone denies this sign-in, application sign-in or verbal request now',
  access: lab,
  params: requestParams,
  body: oneAnswer.extend({ reason: denyReason.optional() }),
  reply: answered,
  refuses: ONE_REFUSALS,
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  events: ['lab.phone-answered'],
});
