import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, id, orgCode, servedPath, text } from '../../fields.ts';
import { HEADER_VALUE } from '../../http.ts';
import { RESULT_NAMES, type ResultName } from '../../result-codes.ts';
import { RESERVED_CLAIMS } from '../applications/app-claims.ts';

const lab = { who: 'lab' } as const;

/** Results that can be forced: all except the two reserved results. */
const FORCEABLE = RESULT_NAMES.filter((name) => !name.startsWith('RESERVED')) as [ResultName, ...ResultName[]];

/** HTTP methods that the portal serves, including at paths outside the API. */
const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

const times = z.number().int().min(1).max(1_000);
const delayMs = z.number().int().min(0).max(60_000);

/** Selects the requests a fault applies to. */
export const faultMatch = z.strictObject({
  /** HTTP method. Default: any method. */
  method: method.optional(),
  /**
   * A path served by the portal, without a query, e.g. `/api/device/manage`, `/oidc/acme/token` or `/assets/*`. A
   * segment such as `:appId` matches any single segment, and a final `*` matches everything below.
   */
  path: servedPath,
  /** Limits the fault to requests that this user sends or that name this user. */
  email: email.optional(),
  /** Limits the fault to requests in or about this organisation. */
  org: orgCode.optional(),
  /**
   * Limits the fault to requests of the OpenID Connect application with this client ID, in the body, in the query or in
   * HTTP Basic authentication.
   */
  client: id.optional(),
  /** Fields that the request body must contain, as JSON or as a form, e.g. `{ grant_type: 'refresh_token' }`. */
  body: z
    .record(text(200), z.json())
    .refine((fields) => Object.keys(fields).length > 0, 'Provide at least one field')
    .optional(),
});
export type FaultMatch = z.output<typeof faultMatch>;

/**
 * OAuth errors that the portal can return: RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 7009 §2.2.1, RFC 7591
 * §3.2.2, RFC 8628 §3.5, RFC 8707 §2, RFC 9101 §6, RFC 9449 §5, and OpenID Connect Core §3.1.2.6.
 */
export const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_scope',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
  'invalid_token',
  'insufficient_scope',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
  'unmet_authentication_requirements',
  'unsupported_response_mode',
  'unsupported_token_type',
  'invalid_request_uri',
  'invalid_request_object',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
  'invalid_target',
  'use_dpop_nonce',
  'invalid_dpop_proof',
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
] as const;

/** RFC 7644 §3.12. */
export const SCIM_TYPES = [
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
  'invalidVers',
  'sensitive',
] as const;

const scimError = z.strictObject({
  /** HTTP status. */
  status: z.number().int().min(400).max(599),
  /** Error type (RFC 7644 §3.12). Default: none. */
  scimType: z.enum(SCIM_TYPES).optional(),
  /** Description of the error. Default: none. */
  detail: text(500).optional(),
});

/** Ways to invalidate an ID token (OpenID Connect Core §3.1.3.7). */
export const TOKEN_DAMAGES = [
  'expired',
  'not-yet',
  'wrong-nonce',
  'wrong-audience',
  'wrong-issuer',
  'bad-signature',
  'unknown-key',
  'none-algorithm',
] as const;
export type TokenDamage = (typeof TOKEN_DAMAGES)[number];

/** Removes one claim from a token. */
export const missingClaim = z.strictObject({
  /** Name of the claim to leave out. */
  without: text(200),
});
export type TokenFlaw = TokenDamage | z.output<typeof missingClaim>;

/** Protocol claims that a test can set, because they only describe how the user signed in. */
const SIGN_IN_CLAIMS = ['nonce', 'azp', 'acr', 'amr', 'auth_time'];

/**
 * Creates the schema of claims that a test adds to tokens.
 * @param options the option that sets each of the other protocol claims
 */
export const addedClaims = (options: Readonly<Record<string, string>>) =>
  z.record(text(200), z.json()).superRefine((claims, context) => {
    const names = Object.keys(claims);
    if (names.length === 0) context.addIssue({ code: 'custom', message: 'Provide at least one claim' });
    for (const name of names) {
      if (!RESERVED_CLAIMS.includes(name) || SIGN_IN_CLAIMS.includes(name)) continue;
      const option = options[name];
      const message = option ? `Set this claim with the option ${option}` : 'This claim is set by the protocol';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });

/** Ways to invalidate a SAML response (SAML 2.0 profiles §4.1.4.3). */
export const ASSERTION_DAMAGES = [
  'expired',
  'wrong-audience',
  'wrong-in-response-to',
  'bad-signature',
  'unsigned',
  'wrong-recipient',
  /** The response reports a denied request and contains no assertion. */
  'denied',
] as const;
export type AssertionDamage = (typeof ASSERTION_DAMAGES)[number];

/** Alternatives to the real response. Exactly one is required unless `delayMs` is used alone. */
const OUTCOMES = [
  ...(['resultName', 'status', 'oauthError', 'scim', 'hang', 'cut'] as const),
  ...(['token', 'claims', 'fields', 'assertion'] as const),
] as const;

/** Headers that frame the response, which only the server sets. */
const FRAMING = ['content-length', 'transfer-encoding', 'trailer'];
const headerName = z
  .string()
  .max(100)
  .regex(/^[\w-]+$/, "This isn't a valid header name")
  .refine((name) => !FRAMING.includes(name.toLowerCase()), 'This header is set by the server');
const headerValue = z
  .string()
  .max(2_000)
  .regex(HEADER_VALUE, 'Header values cannot contain line breaks or non-Latin-1 characters');

/** Response headers. Rejects a header that appears in two spellings, because one of them would have no effect. */
const headers = z.record(headerName, headerValue).superRefine((values, context) => {
  const seen = new Set<string>();
  for (const name of Object.keys(values)) {
    const message = 'This header appears twice. List it only once';
    if (seen.has(name.toLowerCase())) context.addIssue({ code: 'custom', path: [name], message });
    seen.add(name.toLowerCase());
  }
});

/** Statuses whose responses never have a body (RFC 9110 §15). */
const BODILESS = [204, 205, 304];

/** How to respond to a matching request. */
export const faultAnswer = z
  .strictObject({
    /** A refusal exactly as the portal would send it, with the status and headers of this result. */
    resultName: z.enum(FORCEABLE).optional(),
    /** HTTP status to respond with. If `body` is omitted, the portal's own body for this status is sent. */
    status: z.number().int().min(200).max(599).optional(),
    /** Response body, with `status` only. A string is sent unchanged and any other value as JSON. */
    body: z.json().optional(),
    /** Response headers, with `status` only. */
    headers: headers.optional(),
    /** OAuth error to respond with, for OIDC paths only. */
    oauthError: z.enum(OAUTH_ERRORS).optional(),
    /** SCIM error to respond with, for SCIM paths only. */
    scim: scimError.optional(),
    /** True to never respond. */
    hang: z.literal(true).optional(),
    /** Closes the connection before the response (`true`) or in the middle of the real response's body (`body`). */
    cut: z.literal([true, 'body']).optional(),
    /**
     * Invalidates the next ID token from a path that issues ID tokens, e.g. `/oidc/acme/token`. With
     * `{ without: 'email' }`, removes one claim from the next ID token that has it.
     */
    token: z.union([z.enum(TOKEN_DAMAGES), missingClaim]).optional(),
    /**
     * Claims to add to the next ID token, or to replace in it, e.g. `{ acr: 'high' }`. The rest of the token is real, and
     * the issuer signs it.
     */
    claims: addedClaims({
      iss: 'token (wrong-issuer)',
      aud: 'token (wrong-audience)',
      exp: 'token (expired)',
      iat: 'token (expired)',
      nbf: 'token (not-yet)',
    }).optional(),
    /** Fields to add to the next token response, or to replace in it. The rest of the response is real. */
    fields: z
      .record(text(200), z.json())
      .refine((fields) => Object.keys(fields).length > 0, 'Provide at least one field')
      .optional(),
    /**
     * Invalidates the next SAML response from a path that issues SAML responses: `/saml/acme/travel-desk/sso` for a
     * single application, or `/saml/acme/continue` for all applications of an organisation.
     */
    assertion: z.enum(ASSERTION_DAMAGES).optional(),
    /** Delay before the response, in milliseconds. If used alone, the real response follows. */
    delayMs: delayMs.optional(),
  })
  .superRefine((answer, context) => {
    const outcomes = OUTCOMES.filter((name) => answer[name] !== undefined);
    if (outcomes.length > 1) {
      const message = `${outcomes.join(' and ')} cannot be combined`;
      context.addIssue({ code: 'custom', path: [outcomes[1] ?? ''], message });
    }
    if (outcomes.length === 0 && answer.delayMs === 0) {
      context.addIssue({ code: 'custom', path: ['delayMs'], message: 'delayMs must be at least 1 if used alone' });
    }
    if (outcomes.length === 0 && answer.delayMs === undefined) {
      context.addIssue({ code: 'custom', message: `Provide one of ${OUTCOMES.join(', ')} or delayMs` });
    }
    if (answer.hang && answer.delayMs !== undefined) {
      context.addIssue({ code: 'custom', path: ['delayMs'], message: 'hang cannot be combined with delayMs' });
    }
    if (answer.body !== undefined && BODILESS.includes(answer.status ?? 0)) {
      context.addIssue({
        code: 'custom',
        path: ['body'],
        message: `Responses with status ${answer.status} cannot have a body`,
      });
    }
    for (const name of ['body', 'headers'] as const) {
      const isAlone = answer[name] !== undefined && answer.status === undefined;
      if (isAlone) context.addIssue({ code: 'custom', path: [name], message: `${name} requires a status` });
    }
  });
export type FaultAnswer = z.output<typeof faultAnswer>;

/** A fault in the short form, which makes an endpoint fail. */
export const fault = z.strictObject({
  /** HTTP method. */
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  /** API path, e.g. `/device/manage`, with or without `/api`. */
  path: servedPath,
  /** HTTP status of the failure. The call never reaches its handler. */
  status: z.number().int().min(400).max(599).default(500),
  /** Number of calls that fail. */
  times: times.default(1),
  /** Delay before a call fails, in milliseconds. */
  delayMs: delayMs.default(0),
});
export type Fault = z.output<typeof fault>;

/** A fault in the full form. */
export const programmedFault = z.strictObject({
  /** Requests that the fault applies to. */
  match: faultMatch,
  /** Response to these requests. */
  answer: faultAnswer,
  /** Number of requests that the fault applies to. */
  times: times.default(1),
  /**
   * How many matching requests to skip first, whatever their responses. With 2, the fault applies to the third
   * request.
   */
  after: z.number().int().min(0).max(1_000).default(0),
});
export type ProgrammedFault = z.output<typeof programmedFault>;

export const anyFault = z.union([programmedFault, fault]);
export type AnyFault = z.output<typeof anyFault>;

/** A fault that has fired. */
const firedFault = z.object({
  id,
  method: z.string(),
  /** The requested path without its query. */
  path: z.string(),
  at: z.string(),
  fault: anyFault,
});

/** Maximum number of pending faults. */
export const FAULTS_MAX = 200;

const faultsReply = z.object({ faults: z.array(anyFault) });

export const readFaults = endpoint({
  method: 'GET',
  path: '/lab/faults',
  area: 'Lab',
  summary: 'List pending faults and the latest faults that have fired',
  access: lab,
  reply: faultsReply.extend({
    /** Faults that have fired, newest first, at most 200. */
    fired: z.array(firedFault),
  }),
});

export const addFault = endpoint({
  method: 'POST',
  path: '/lab/faults',
  area: 'Lab',
  summary: 'Make the next requests to a path fail, hang, disconnect or respond slowly',
  access: lab,
  body: anyFault,
  reply: faultsReply,
  refuses: ['ORG_CODE_NOT_FOUND', 'ORG_APP_MISSING', 'ORG_EMAIL_NOT_FOUND'],
  refusalStatus: { ORG_EMAIL_NOT_FOUND: 404 },
  refusesWith: { 409: 'INVALID_REQUEST' },
  events: ['lab.fault-added'],
});

export const clearFaults = endpoint({
  method: 'DELETE',
  path: '/lab/faults',
  area: 'Lab',
  summary: 'Delete all faults. With a match, delete only pending faults with exactly this match, whatever their `body`',
  access: lab,
  query: faultMatch.omit({ body: true }).partial({ path: true }),
  reply: z.object({}),
  refuses: ['ID_DOESNOT_EXIST'],
  events: ['lab.faults-cleared'],
});
