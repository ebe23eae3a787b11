import type { z } from 'zod';
import type { AuditAction } from './audit-actions.ts';
import type { Permission } from './permissions.ts';
import type { ResultName } from './result-codes.ts';
import type { StaleFields, Unversioned, VersionedObject } from './versions.ts';

/**
 * Access to a member who is the caller (`own`), a direct report (`reports`) or any other member of the organisation
 * (`others`). `true` needs no permission; a list needs all of its permissions; absent denies access. A direct report
 * also counts as another member: either rule suffices.
 */
export interface MemberRights {
  own?: true | readonly Permission[];
  reports?: true | readonly Permission[];
  others?: readonly Permission[];
}

/**
 * Access to an endpoint. The guard, the permission matrix and the reference page are all derived from this value.
 * - `public`: anyone, without a token. `device`: anyone; the device's signature in the body is the proof.
 * - `signed-in`: a valid access token. `permission`: a valid access token and this permission; holders of only
 *   `forSaml` can also call it for SAML applications, and don't find any others.
 * - `member`: about the member that the request names with `suid` or `primaryAttr` (by default the caller); `when`
 *   replaces the rights for requests whose field has this value.
 * - `lab`: this machine if the portal is local, or the lab token.
 */
export type Access =
  | { who: 'public' }
  | { who: 'device' }
  | { who: 'signed-in' }
  | { who: 'permission'; permission: Permission; forSaml?: Permission }
  | ({ who: 'member'; when?: { field: string; is: string; rights: MemberRights } } & MemberRights)
  | { who: 'lab' };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Areas of the reference page, in its order. */
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
  /** JSON body. */
  body?: z.ZodType;
  /**
   * Text fields of a multipart upload. If `file` comes after all of them, it is read as it arrives, otherwise only once
   * the upload is complete.
   */
  multipart?: z.ZodObject;
  /** The upload's `file`, with `multipart` only. `example` is a file name whose extension shows the required type. */
  file?: { maxBytes: number; example: string; isOptional?: true };
  /** Size limit of the JSON body, if greater than `LIMITS.jsonBodyBytes`. */
  bodyBytes?: number;
  /** Fields of a success, in addition to `resultCode`. */
  reply: z.ZodObject;
  /** True for a GET that starts something, here or at another server: it counts towards the limit on writes. */
  isCounted?: true;
  /** True if signed-in callers can use it even from addresses that the organisation blocks: to log out. */
  isFromAnywhere?: true;
  /** Media type of a success that is a document for other programs instead of JSON; several if the caller chooses. */
  document?: string | readonly string[];
  /** A success redirects (302) to a page: every caller, or only a browser that accepts HTML. */
  redirects?: 'everybody' | 'browsers';
  /** Results above 0 that count as success and come with the reply's fields. */
  news?: readonly ResultName[];
  /** Fields of those results if they differ from the reply's, and the body that they answer. */
  newsReply?: { to: z.ZodObject; fields: z.ZodObject };
  /** The versioned object that the call reads or edits: a read answers with `ETag`, a write accepts `If-Match`. */
  versioned?: VersionedObject;
  /** With versioned writes: the `current` field of the refusal of a stale version (HTTP 412). */
  current?: z.ZodObject;
  /** With all other writes of signed-in callers: why it has no version. */
  unversioned?: Unversioned;
  /** Business refusals of this endpoint, in addition to those of every call (see `COMMON_REFUSALS`). */
  refuses?: readonly ResultName[];
  /** Refusals that this endpoint answers with another HTTP status than usual. */
  refusalStatus?: Partial<Record<ResultName, number>> | number;
  /** Refusals whose HTTP status differs here from that of the same result elsewhere, by that status. */
  refusesWith?: Readonly<Record<number, ResultName>>;
  /**
   * Actions that it can record in the audit trail. Required for every entry other than a GET; an empty list needs a
   * comment that says why. Outside production, a signed-in success that records none of them is a defect.
   */
  events?: readonly AuditAction[];
}

/** Refusals that every endpoint can answer by the ground rules, so entries do not repeat them. */
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

/** Declares one endpoint: the route, the typed client call, the permission check and the documentation in one value. */
export function endpoint<const D extends EndpointDefinition>(definition: D): D {
  return definition;
}

/** Not `undefined` if absent: to a compiler that is not strict, that would match every type. */
type Part<D, K extends string> = D extends { [P in K]: infer S extends z.ZodType } ? S : 'absent';
type Empty = Record<never, never>;
/** Forbids fields that an entry doesn't declare; allows any for entries of unknown type. */
type Undeclared<D, K extends string> = K extends keyof D ? Empty : { [P in K]?: undefined };

/** Optional if all of its fields are. */
type QueryOf<D extends EndpointDefinition> =
  Part<D, 'query'> extends z.ZodType
    ? Empty extends z.input<Part<D, 'query'>>
      ? { query?: z.input<Part<D, 'query'>> }
      : { query: z.input<Part<D, 'query'>> }
    : Undeclared<D, 'query'>;

/** Input of a call: `{ params?, query?, body? }`, each only if the entry declares it; an upload as a form. */
export type InputOf<D extends EndpointDefinition> = (Part<D, 'params'> extends z.ZodType
  ? { params: z.input<Part<D, 'params'>> }
  : Undeclared<D, 'params'>) &
  QueryOf<D> &
  (Part<D, 'body'> extends z.ZodType
    ? { body: z.input<Part<D, 'body'>> }
    : Part<D, 'multipart'> extends z.ZodType
      ? { body: FormData }
      : Undeclared<D, 'body'>);

type Parsed<D extends EndpointDefinition, K extends 'params' | 'query' | 'body' | 'multipart'> =
  Part<D, K> extends z.ZodType ? z.output<Part<D, K>> : undefined;

/** Input of a handler: the parsed parts, `undefined` if the entry declares none. */
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

/** Fields of a success, without the envelope. */
export type FieldsOf<D extends EndpointDefinition> = z.output<D['reply']>;

/** Fields of a success with a result above 0, without the envelope. */
export type NewsFieldsOf<D extends EndpointDefinition> = D extends WithNewsReply
  ? z.output<D['newsReply']['fields']>
  : FieldsOf<D>;

/** Either of them, distinguished by the fields that only one has. */
type EitherOf<A, B> =
  | (A & { [K in Exclude<keyof B, keyof A>]?: never })
  | (B & { [K in Exclude<keyof A, keyof B>]?: never });

/** A success on the wire. */
export type ReplyOf<D extends EndpointDefinition> = (D extends WithNewsReply
  ? EitherOf<FieldsOf<D>, NewsFieldsOf<D>>
  : FieldsOf<D>) & { resultCode: number };

/** Calls an entry. If the kind of body decides the kind of answer, so does the body's type. */
export interface TypedCall<Rest extends unknown[] = []> {
  <D extends WithNewsReply>(
    entry: D,
    input: { body: z.input<D['newsReply']['to']> },
    ...rest: Rest
  ): Promise<NewsFieldsOf<D> & { resultCode: number }>;
  <D extends EndpointDefinition>(entry: D, input: InputOf<D>, ...rest: Rest): Promise<ReplyOf<D>>;
}

/** Returns the fields of a success with this result, without the envelope. */
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

/** The refusal of a write with an outdated version. */
export type StaleBody<D extends EndpointDefinition> = RefusalBody &
  StaleFields<D extends { current: infer S extends z.ZodType } ? z.output<S> : never>;

/** Returns the media types of a success that is a document; none if it is JSON. */
export const documentTypesOf = ({ document = [] }: Pick<EndpointDefinition, 'document'>): readonly string[] =>
  typeof document === 'string' ? [document] : document;

/** Returns the HTTP status of an entry's refusal if it isn't the result's usual one. */
export const refusalStatusOf = (
  { refusalStatus }: Pick<EndpointDefinition, 'refusalStatus'>,
  result: ResultName,
): number | undefined => (typeof refusalStatus === 'object' ? refusalStatus[result] : refusalStatus);
