import type { z } from 'zod';
import type { AuditAction } from './audit-actions.ts';
import type { Permission } from './permissions.ts';
import type { ResultName } from './result-codes.ts';
import type { StaleFields, Unversioned, VersionedObject } from './versions.ts';

/**
 * Access to the signed-in member (`own`), a direct report (`reports`) or any other member of the organisation
 * (`others`). `true` needs no permission, a list needs all listed permissions, and absent denies access. A direct
 * report is also one of the `others`: satisfying one of the two rules is enough.
 */
export interface MemberRights {
  own?: true | readonly Permission[];
  reports?: true | readonly Permission[];
  others?: readonly Permission[];
}

/**
 * Access to an endpoint. The guard, the permission matrix and the reference page are all derived from this value.
 * - `public`: anyone, without a token. `device`: anyone, authenticated by the device's signature in the body.
 * - `signed-in`: a valid access token. `permission`: a valid access token and this permission. Users who only have
 *   `forSaml` can also call the endpoint for SAML applications; all other applications are reported to them as
 *   missing.
 * - `member`: access to the member that the request names with `suid` or `primaryAttr` (by default the signed-in
 *   member); `when` replaces the rights for requests whose field has this value.
 * - `lab`: this machine if the portal is local, otherwise the lab token.
 */
export type Access =
  | { who: 'public' }
  | { who: 'device' }
  | { who: 'signed-in' }
  | { who: 'permission'; permission: Permission; forSaml?: Permission }
  | ({ who: 'member'; when?: { field: string; is: string; rights: MemberRights } } & MemberRights)
  | { who: 'lab' };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Sections of the reference page, in display order. */
export type Area =
  | 'Session and profile'
  | 'People'
  | 'Activation'
  | 'Devices'
  | 'Settings'
  | 'Roles'
  | 'Applications'
  | 'FAQ'
  | 'Activity'
  | 'Webhooks'
  | 'Authenticator'
  | 'Lab'
  | 'Service';

export interface EndpointDefinition {
  method: Method;
  /** Path below `/api`, with `:name` for path parameters. */
  path: `/${string}`;
  area: Area;
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Schema of the JSON body. */
  body?: z.ZodType;
  /**
   * Text fields of a multipart upload. If `file` comes after all text fields, the file is read as it arrives;
   * otherwise reading starts once the upload is complete.
   */
  multipart?: z.ZodObject;
  /** The upload's `file`, only with `multipart`. `example` is a file name whose extension shows the required type. */
  file?: { maxBytes: number; example: string; isOptional?: true };
  /** Size limit of the JSON body, in bytes, if greater than `LIMITS.jsonBodyBytes`. */
  bodyBytes?: number;
  /** Fields of a successful response, in addition to `resultCode`. */
  reply: z.ZodObject;
  /** True for a GET with side effects, here or on another server. The request then counts towards the write limit. */
  isCounted?: true;
  /**
   * True if signed-in users can use the endpoint even from addresses that the organisation blocks, e.g. to sign out.
   */
  isFromAnywhere?: true;
  /**
   * Media type of a successful response that is a document for other programs instead of JSON. Several types if the
   * client can choose.
   */
  document?: string | readonly string[];
  /**
   * Set if a successful response redirects (302) to a page: for every client, or only for browsers that accept HTML.
   */
  redirects?: 'everybody' | 'browsers';
  /** Results above 0 that are successes. Their responses contain the fields of `reply`. */
  news?: readonly ResultName[];
  /** Fields of the `news` results if they differ from `reply`, and the body that leads to these results. */
  newsReply?: { to: z.ZodObject; fields: z.ZodObject };
  /** The versioned object that the call reads or edits. A read returns `ETag`, a write accepts `If-Match`. */
  versioned?: VersionedObject;
  /** Schema of the `current` field in the refusal of an outdated version (HTTP 412). Only for versioned writes. */
  current?: z.ZodObject;
  /** Reason why the endpoint has no version. Required for all other writes by signed-in users. */
  unversioned?: Unversioned;
  /**
   * Business refusals of this endpoint, in addition to the refusals that every endpoint can return (see
   * `COMMON_REFUSALS`).
   */
  refuses?: readonly ResultName[];
  /**
   * HTTP status of this endpoint's refusals if it differs from the result's usual status: one status for all
   * refusals, or by result.
   */
  refusalStatus?: Partial<Record<ResultName, number>> | number;
  /** Refusals, by HTTP status, for which this endpoint also uses a status other than the result's usual one. */
  refusesWith?: Readonly<Record<number, ResultName>>;
  /**
   * Actions that the endpoint can record in the audit trail. Required for every endpoint other than a GET; an empty
   * list needs a comment that explains why. Outside production, a successful signed-in call that records none of
   * these actions is a defect.
   */
  events?: readonly AuditAction[];
}

/** Refusals that every endpoint can return, so endpoints don't list them again. */
export const COMMON_REFUSALS: readonly ResultName[] = [
  'INVALID_REQUEST',
  'BAD_REQUEST',
  'UNSUPPORTED_ACTION',
  'SUID_MISSING',
  'ZID_MISSING',
  'AID_MISSING',
  'ORG_MISSING',
  'ROLE_CODE_MISSING',
  'NAME_ID_MISSING',
  'ACTIVATION_CODE_NOT_PROVIDED',
  'ORG_EMAIL_NOT_PROVIDED',
  'OTP_MISSING',
  'UNAUTHORIZED',
  'INVALID_SESSION',
  'INVALID_PERMISSIONS',
  'IP_NOT_VALID',
  'FORBIDDEN',
  'ID_DOESNOT_EXIST',
  'FAILED',
];

/** Declares an endpoint: the route, the typed client call, the permission check and the documentation in one value. */
export function endpoint<const D extends EndpointDefinition>(definition: D): D {
  return definition;
}

/**
 * The type is 'absent' instead of `undefined`, because a non-strict compiler would match `undefined` with every type.
 */
type Part<D, K extends string> = D extends { [P in K]: infer S extends z.ZodType } ? S : 'absent';
type Empty = Record<never, never>;
/** Forbids fields that an endpoint doesn't declare. Allows any fields for endpoints of unknown type. */
type Undeclared<D, K extends string> = K extends keyof D ? Empty : { [P in K]?: undefined };

/** The query type, optional if all of its fields are. */
type QueryOf<D extends EndpointDefinition> =
  Part<D, 'query'> extends z.ZodType
    ? Empty extends z.input<Part<D, 'query'>>
      ? { query?: z.input<Part<D, 'query'>> }
      : { query: z.input<Part<D, 'query'>> }
    : Undeclared<D, 'query'>;

/** The body type, optional if all of its fields are. */
type BodyIn<D extends EndpointDefinition> =
  Part<D, 'body'> extends z.ZodType
    ? Empty extends z.input<Part<D, 'body'>>
      ? { body?: z.input<Part<D, 'body'>> }
      : { body: z.input<Part<D, 'body'>> }
    : Part<D, 'multipart'> extends z.ZodType
      ? { body: FormData }
      : Undeclared<D, 'body'>;

/**
 * Input of a call: `{ params?, query?, body? }`, each present only if the endpoint declares it. An upload is passed
 * as a form.
 */
export type InputOf<D extends EndpointDefinition> = (Part<D, 'params'> extends z.ZodType
  ? { params: z.input<Part<D, 'params'>> }
  : Undeclared<D, 'params'>) &
  QueryOf<D> &
  BodyIn<D>;

type Parsed<D extends EndpointDefinition, K extends 'params' | 'query' | 'body' | 'multipart'> =
  Part<D, K> extends z.ZodType ? z.output<Part<D, K>> : undefined;

/** Input of a handler: the parsed request. Fields that the endpoint doesn't declare are `undefined`. */
export interface RequestOf<D extends EndpointDefinition> {
  params: Parsed<D, 'params'>;
  query: Parsed<D, 'query'>;
  body: Parsed<D, 'body'>;
  /** Text fields of an upload. */
  form: Parsed<D, 'multipart'>;
}

interface WithNewsReply extends EndpointDefinition {
  newsReply: NonNullable<EndpointDefinition['newsReply']>;
}

/** Fields of a successful response, without the envelope. */
export type FieldsOf<D extends EndpointDefinition> = z.output<D['reply']>;

/** Fields of a successful response with a result above 0, without the envelope. */
export type NewsFieldsOf<D extends EndpointDefinition> = D extends WithNewsReply
  ? z.output<D['newsReply']['fields']>
  : FieldsOf<D>;

/** A or B, distinguished by the fields that only one of them has. */
type EitherOf<A, B> =
  | (A & { [K in Exclude<keyof B, keyof A>]?: never })
  | (B & { [K in Exclude<keyof A, keyof B>]?: never });

/** A successful response on the wire. */
export type ReplyOf<D extends EndpointDefinition> = (D extends WithNewsReply
  ? EitherOf<FieldsOf<D>, NewsFieldsOf<D>>
  : FieldsOf<D>) & { resultCode: number };

/**
 * Calls an endpoint. The input can be omitted if nothing in it is required. If the response's type depends on the
 * body's type, the call's type follows the body.
 */
export interface TypedCall<Rest extends unknown[] = []> {
  <D extends EndpointDefinition>(entry: Empty extends InputOf<D> ? D : never): Promise<ReplyOf<D>>;
  <D extends WithNewsReply>(
    entry: D,
    input: { body: z.input<D['newsReply']['to']> },
    ...rest: Rest
  ): Promise<NewsFieldsOf<D> & { resultCode: number }>;
  <D extends EndpointDefinition>(entry: D, input: InputOf<D>, ...rest: Rest): Promise<ReplyOf<D>>;
}

/** Returns the fields of a successful response with this result, without the envelope. */
export const fieldsWith = (
  { reply, newsReply }: Pick<EndpointDefinition, 'reply' | 'newsReply'>,
  resultCode: unknown,
): z.ZodObject => (resultCode === 0 ? reply : (newsReply?.fields ?? reply));

/** A refusal on the wire. */
export interface RefusalBody {
  resultCode: number;
  resultName: ResultName;
  message: string;
  requestId: string;
  issues?: { path: string; message: string }[];
}

/** The refusal of a write that sent an outdated version. */
export type StaleBody<D extends EndpointDefinition> = RefusalBody &
  StaleFields<D extends { current: infer S extends z.ZodType } ? z.output<S> : never>;

/** Returns the media types of a successful response that is a document. Empty for JSON. */
export const documentTypesOf = ({ document = [] }: Pick<EndpointDefinition, 'document'>): readonly string[] =>
  typeof document === 'string' ? [document] : document;

/** Returns the HTTP status of an endpoint's refusal if it differs from the result's usual status. */
export const refusalStatusOf = (
  { refusalStatus }: Pick<EndpointDefinition, 'refusalStatus'>,
  result: ResultName,
): number | undefined => (typeof refusalStatus === 'object' ? refusalStatus[result] : refusalStatus);
