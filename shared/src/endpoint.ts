import type { z } from 'zod';
import type { AuditAction } from './audit-actions.ts';
import type { Permission } from './permissions.ts';
import type { ResultName } from './result-codes.ts';
import type { StaleFields, Unversioned, VersionedThing } from './versions.ts';

/**
 * Who may act on a member, when that member is the caller (`own`), a direct report (`reports`) or anybody else in the
 * organisation (`others`). `true` needs no permission; a list needs all of its permissions; absent means nobody. A
 * direct report also counts as somebody else: either rule suffices.
 */
export interface MemberRights {
  own?: true | readonly Permission[];
  reports?: true | readonly Permission[];
  others?: readonly Permission[];
}

/**
 * Who may call an endpoint. The guard, the permission matrix and the reference page are all derived from this one
 * value.
 * - `public`: anybody, without a token. `device`: anybody; the device's signature inside the body is the proof.
 * - `signed-in`: a valid access token. `permission`: a valid access token and this permission; holders of `forSaml`
 * alone may call it too, for SAML applications: any other application they do not find.
 * - `member`: about the member whom the request names by `suid` or `primaryAttr` (the caller when it names nobody);
 * `when` replaces the rights for requests whose field has this value.
 * - `lab`: this machine where the portal is local, or the lab token.
 */
export type Access =
  | { who: 'public' }
  | { who: 'device' }
  | { who: 'signed-in' }
  | { who: 'permission'; permission: Permission; forSaml?: Permission }
  | ({ who: 'member'; when?: { field: string; is: string; rights: MemberRights } } & MemberRights)
  | { who: 'lab' };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The areas of the reference page, in its order. */
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
  /** Below `/api`, with `:name` for path parameters. */
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
  /** The upload's `file`, with `multipart` only. `example` is the name of one, whose ending says what it has to be. */
  file?: { maxBytes: number; example: string; isOptional?: true };
  /** Size limit of the JSON body, where it is more than `LIMITS.jsonBodyBytes`. */
  bodyBytes?: number;
  /** The fields of a success beside `resultCode`. */
  reply: z.ZodObject;
  /** A GET that begins something, or makes other servers do so: it counts towards the limit on writes. */
  isCounted?: true;
  /** Signed-in callers may use it even from addresses that the organisation blocks: to leave. */
  isFromAnywhere?: true;
  /**
   * The media type of a success that is a document for other programs instead of JSON; several where the caller
   * chooses.
   */
  document?: string | readonly string[];
  /** A success sends the caller to a page, with 302: every caller, or only a browser that wants a page. */
  redirects?: 'everybody' | 'browsers';
  /** Results above 0 that count as success and come with the reply's fields. */
  news?: readonly ResultName[];
  /** Where news come with other fields than the reply's: these, and the kind of body that they answer. */
  newsReply?: { to: z.ZodObject; fields: z.ZodObject };
  /** What the call reads or edits, where that has a version: a read answers with `ETag`, a write takes `If-Match`. */
  versioned?: VersionedThing;
  /** With versioned writes: what the refusal of a stale version (HTTP 412) returns as `current`. */
  current?: z.ZodObject;
  /** With all other writes of signed-in callers: why it takes no version. */
  unversioned?: Unversioned;
  /** Business refusals that this endpoint may answer, besides those that every call can (see `COMMON_REFUSALS`). */
  refuses?: readonly ResultName[];
  /** Refusals that this endpoint answers with another HTTP status than the code's usual one. */
  refusalStatus?: Partial<Record<ResultName, number>> | number;
  /** Refusals that have another HTTP status here than the same result has elsewhere, by that status. */
  refusesWith?: Readonly<Record<number, ResultName>>;
  /**
   * What it may record in the audit trail. Every entry other than a GET has this; an empty list needs a comment that
   * says why. Outside production, a signed-in success that recorded none of them is a defect.
   */
  events?: readonly AuditAction[];
}

/** Refusals that every endpoint may answer by the ground rules, so entries do not repeat them. */
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

/** Not `undefined` where there is none: for a compiler that is not strict, that would be every type. */
type Part<D, K extends string> = D extends { [P in K]: infer S extends z.ZodType } ? S : 'absent';
type Empty = Record<never, never>;
/** Nothing may be given that an entry lacks; of an entry that is not known more closely, anything may be. */
type Undeclared<D, K extends string> = K extends keyof D ? Empty : { [P in K]?: undefined };

/** It may be left out where all of it may. */
type QueryOf<D extends EndpointDefinition> =
  Part<D, 'query'> extends z.ZodType
    ? Empty extends z.input<Part<D, 'query'>>
      ? { query?: z.input<Part<D, 'query'>> }
      : { query: z.input<Part<D, 'query'>> }
    : Undeclared<D, 'query'>;

/** What a caller passes: `{ params?, query?, body? }`, each only where the entry declares it; an upload as a form. */
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

/** What a handler receives: the parsed parts, `undefined` where the entry declares none. */
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

/** The fields of a success, without the envelope. */
export type FieldsOf<D extends EndpointDefinition> = z.output<D['reply']>;

/** The fields of news, without the envelope. */
export type NewsFieldsOf<D extends EndpointDefinition> = D extends WithNewsReply
  ? z.output<D['newsReply']['fields']>
  : FieldsOf<D>;

/** Either of them, told apart by the fields that only one has. */
type EitherOf<A, B> =
  | (A & { [K in Exclude<keyof B, keyof A>]?: never })
  | (B & { [K in Exclude<keyof A, keyof B>]?: never });

/** A success on the wire. */
export type ReplyOf<D extends EndpointDefinition> = (D extends WithNewsReply
  ? EitherOf<FieldsOf<D>, NewsFieldsOf<D>>
  : FieldsOf<D>) & { resultCode: number };

/** Calls an entry. Where the kind of body decides what is answered, so does its type. */
export interface TypedCall<Rest extends unknown[] = []> {
  <D extends WithNewsReply>(
    entry: D,
    input: { body: z.input<D['newsReply']['to']> },
    ...rest: Rest
  ): Promise<NewsFieldsOf<D> & { resultCode: number }>;
  <D extends EndpointDefinition>(entry: D, input: InputOf<D>, ...rest: Rest): Promise<ReplyOf<D>>;
}

/** What a success with a result has beside the envelope. */
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

/** The refusal of a write that named an outdated version. */
export type StaleBody<D extends EndpointDefinition> = RefusalBody &
  StaleFields<D extends { current: infer S extends z.ZodType } ? z.output<S> : never>;

/** The media types of a success that is a document; none where it is JSON. */
export const documentTypesOf = ({ document = [] }: Pick<EndpointDefinition, 'document'>): readonly string[] =>
  typeof document === 'string' ? [document] : document;

/** The HTTP status with which an entry refuses, where it is not the result's usual one. */
export const refusalStatusOf = (
  { refusalStatus }: Pick<EndpointDefinition, 'refusalStatus'>,
  result: ResultName,
): number | undefined => (typeof refusalStatus === 'object' ? refusalStatus[result] : refusalStatus);
