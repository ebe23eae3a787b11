import type { memberRepo } from '@orchestrate/db';
import {
  COMMON_REFUSALS,
  codeOf,
  documentTypesOf,
  type EndpointDefinition,
  type FieldsOf,
  fieldsWith,
  type NewsFieldsOf,
  type RequestOf,
  type ResultName,
  refusalStatusOf,
} from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../refusal.ts';
import { ContractBroken, requireContract } from './answers/contract-broken.ts';
import { sendDocument, sendDownload, sendJson, sendRedirect } from './answers/send-json.ts';
import { type AuditActor, labActor, memberActor, visitorActor } from './callers/actors.ts';
import { bearerToken, type Caller, requireCaller } from './callers/caller.ts';
import { fieldsOf, requireAccess, requireMember, requireOwnOrganisation } from './callers/permissions.ts';
import { publicWriteLimit } from './callers/rate-limit.ts';
import { requireLab } from './callers/require-lab.ts';
import { readRequest } from './requests/read-request.ts';
import { allowUploads, type OpenUpload, openUpload, readForm, type UploadedFile } from './requests/uploads.ts';
import { readIfMatch, StaleVersion, trackVersion, type Version, type VersionUse } from './versions.ts';

type SignedIn = { who: 'signed-in' | 'permission' | 'member' };

/** What a handler receives. */
export type Call<D extends EndpointDefinition> = RequestOf<D> & {
  /** Present if the entry requires a signed-in caller. */
  caller: D['access'] extends SignedIn ? Caller : undefined;
  /** Who makes the changes of this call, for the audit trail. */
  actor: AuditActor;
  /** The member the request is about, once the caller's right to act on them has been checked. */
  target: D['access'] extends { who: 'member' } ? memberRepo.MemberRow : undefined;
  /** The file of an upload. */
  file: D extends { file: { isOptional: true } }
    ? UploadedFile | undefined
    : D extends { multipart: object }
      ? UploadedFile
      : undefined;
  /** Version of the thing that the call reads or edits, if its entry declares one. */
  version: D extends { versioned: string } ? Version : undefined;
  /** Address of the caller's end of the connection. */
  ip: string;
  userAgent: string;
  requestId: string;
  /** The request's `Cookie` header. */
  cookie: string | undefined;
  /** Sends a `Set-Cookie` header with the answer, also with a refusal. */
  setCookie(header: string): void;
  /** Whether a browser navigates here, and so wants a page instead of JSON. */
  wantsPage: boolean;
};

/** A success whose result is above 0: one of the entry's `news`. */
export class News<Name extends ResultName, Fields> {
  readonly result: Name;
  readonly fields: Fields;

  constructor(result: Name, fields: Fields) {
    this.result = result;
    this.fields = fields;
  }
}

/** Sends a browser to a page instead of answering. Only to addresses of our own. */
export function redirect(location: `/${string}`): Redirect {
  return new Redirect(location);
}

/** Sends a browser to another site: only to an address that an administrator has set. */
export function redirectOutside(address: URL): Redirect {
  return new Redirect(address.href);
}

/** What a handler returns to answer with one of its entry's `news`. @param fields of the reply, without the envelope */
export function news<const Name extends ResultName, Fields>(result: Name, fields: Fields): News<Name, Fields> {
  return new News(result, fields);
}

/** A redirect, for a browser that navigates. */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** A success that is a text of the entry's `document` type instead of JSON. */
export class Document {
  readonly text: string;
  /** A browser saves it under this name instead of showing it. */
  readonly fileName: string | undefined;

  constructor(text: string, fileName?: string) {
    this.text = text;
    this.fileName = fileName;
  }
}

/** A document generated while it is sent: of any length, of the type given here. */
export class Download {
  readonly chunks: Iterable<string>;
  readonly type: string;
  readonly fileName: string;

  constructor(chunks: Iterable<string>, { type, fileName }: { type: string; fileName: string }) {
    this.chunks = chunks;
    this.type = type;
    this.fileName = fileName;
  }
}

type NewsOf<D extends EndpointDefinition> = D extends { news: readonly (infer Name extends ResultName)[] }
  ? News<Name, NewsFieldsOf<D>>
  : never;

/** The fields of the reply, without the envelope; or news; or a redirect; or a document. */
export type Answer<D extends EndpointDefinition> = D extends { document: string | readonly string[] }
  ? Document | Download
  : FieldsOf<D> | NewsOf<D> | Redirect;

export type Handler<D extends EndpointDefinition> = (call: Call<D>) => Answer<D> | Promise<Answer<D>>;

/** A request, and what is known about it so far. */
interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller | undefined;
  upload?: OpenUpload;
  use: VersionUse | undefined;
}

const USER_AGENT_MAX_LENGTH = 300;

/**
 * The route of an entry: checks the caller, their access and the request, runs the handler and wraps the result in the
 * envelope. A handler is never called for somebody whom the entry's access excludes.
 */
export function implement<const D extends EndpointDefinition>(
  app: FastifyInstance,
  deps: Deps,
  entry: D,
  handler: Handler<D>,
): void {
  deps.registered.endpoints.push(entry);
  const { access } = entry;

  async function answerTo(request: FastifyRequest, reply: FastifyReply): Promise<Answer<D>> {
    const caller = await callerOf(request);
    const use = versionUseOf(request, reply);
    if (!entry.multipart) return answerOf({ request, reply, caller, use });
    const upload = await openUpload(entry, request);
    try {
      return await answerOf({ request, reply, caller, upload, use });
    } finally {
      await upload.close();
    }
  }

  /** Before the request is parsed: a caller without access learns nothing about what a valid call looks like. */
  async function callerOf(request: FastifyRequest): Promise<Caller | undefined> {
    if (access.who === 'public' || access.who === 'device' || access.who === 'lab') return undefined;
    const caller = await requireCaller(
      deps,
      bearerToken(request.headers.authorization),
      entry.isFromAnywhere ? undefined : request.ip,
    );
    request.caller = caller;
    requireOwnOrganisation(caller, fieldsOf(request.params), fieldsOf(request.query), fieldsOf(request.body));
    if (access.who === 'permission') requireAccess(deps, caller, access, fieldsOf(request.params));
    return caller;
  }

  function versionUseOf({ headers }: FastifyRequest, reply: FastifyReply): VersionUse | undefined {
    if (!entry.versioned) return undefined;
    const ifMatch = entry.method === 'GET' ? undefined : readIfMatch(headers['if-match']);
    return trackVersion(entry.versioned, ifMatch, (tag) => void reply.header('etag', tag));
  }

  function callOf({ request, reply, caller, upload, use }: Exchange): Call<D> {
    const form = readForm(entry, upload);
    if (caller && upload) requireOwnOrganisation(caller, upload.fields);
    const parts = { ...readRequest(entry, request), form };
    const target =
      caller && access.who === 'member'
        ? requireMember(deps, caller, access, {
            ...fieldsOf(parts.params),
            ...fieldsOf(parts.query),
            ...fieldsOf(parts.body),
          })
        : undefined;
    const { ip, id, headers } = request;
    const userAgent = (headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX_LENGTH);
    const wantsPage = headers.accept?.includes('text/html') ?? false;
    // The one place where the entry's types meet the wire: the values here have passed the entry's schemas and access.
    const { cookie } = headers;
    const setCookie = (header: string) => void reply.header('set-cookie', header);
    const file = upload?.file;
    const actor = caller ? memberActor(caller, ip) : access.who === 'lab' ? labActor(ip) : visitorActor(ip);
    const version = use?.version;
    return {
      ...parts,
      caller,
      actor,
      target,
      file,
      version,
      ip,
      userAgent,
      requestId: id,
      cookie,
      setCookie,
      wantsPage,
    } as Call<D>;
  }

  const route: RouteOptions = {
    method: entry.method,
    url: `/api${entry.path}`,
    // A GET may have effects, like the link in a mail; a HEAD, with which mail programs look ahead, must not.
    exposeHeadRoute: !entry.redirects && !entry.isCounted,
    ...(entry.bodyBytes && { bodyLimit: entry.bodyBytes }),
    // Before a body is read, which may be large here.
    ...(access.who === 'lab' && { onRequest: async (request: FastifyRequest) => requireLab(deps.config, request) }),
    ...publicWriteLimit(app, entry, deps.config),
    handler: async (request, reply) => {
      const answer = await answerTo(request, reply);
      if (answer instanceof Redirect && !entry.redirects) {
        throw new ContractBroken(`${entry.method} ${entry.path} redirected, which it does not declare.`);
      }
      if (answer instanceof Redirect) return sendRedirect(deps, reply, answer.location);
      if (answer instanceof Download) return sendDownload(deps, reply, answer);
      if (answer instanceof Document)
        return sendDocument(deps, reply, { type: documentTypesOf(entry)[0] ?? '', ...answer });
      const { result, fields } = answer instanceof News ? answer : { result: 'SUCCESS' as const, fields: answer };
      return sendJson(deps, reply, `{"resultCode":${codeOf(result)}${tail(checked(result, fields))}`);
    },
  };
  if (entry.multipart) allowUploads(app, (scope) => scope.route(route));
  else app.route(route);

  async function answerOf(exchange: Exchange): Promise<Answer<D>> {
    const call = callOf(exchange);
    try {
      const answer = await handler(call);
      if (!deps.config.isProduction) requireRecorded(call);
      requireVersionUsed(exchange.use);
      return answer;
    } catch (reason) {
      if (reason instanceof StaleVersion) throw reason.refusal(currentOf(await reason.present()));
      throw reason instanceof Refusal ? declared(reason) : reason;
    }
  }

  /** No change goes unrecorded: the call must record exactly what its entry declares. */
  function requireRecorded({ caller, actor: { recorded } }: Call<D>): void {
    const { events = [] } = entry;
    const undeclared = recorded.find((action) => !events.includes(action));
    if (undeclared)
      throw new ContractBroken(
        `${entry.method} ${entry.path} recorded ${undeclared}, but declares only: ${events.join(', ') || 'nothing'}.`,
      );
    if (caller && events.length > 0 && recorded.length === 0) {
      throw new ContractBroken(
        `${entry.method} ${entry.path} must record ${events.join(' or ')}, but recorded nothing.`,
      );
    }
  }

  /** Outside production a handler that forgets the version is a defect, so none can. */
  function requireVersionUsed(use: VersionUse | undefined): void {
    if (!use || deps.config.isProduction) return;
    const missing = [
      ...(entry.method === 'GET' || use.isRequired() ? [] : ['version.require']),
      ...(use.isAnswered() ? [] : ['version.answer']),
    ];
    if (missing.length === 0) return;
    throw new ContractBroken(`${entry.method} ${entry.path} must call ${missing.join(' and ')}, but did not.`);
  }

  /** The current state of a thing, as the contract describes it. */
  function currentOf(present: object): object {
    const name = `What ${entry.method} ${entry.path} says of the present state`;
    if (!entry.current) throw new ContractBroken(`${name} is not declared: the entry has no \`current\`.`);
    return requireContract(entry.current, present, name, true);
  }

  /** A handler's refusal with the entry's HTTP status; outside production the entry must declare it. */
  function declared(refusal: Refusal): Error {
    const { result } = refusal;
    const isDeclared = entry.refuses?.includes(result) || COMMON_REFUSALS.includes(result);
    if (!isDeclared && !deps.config.isProduction) {
      return new ContractBroken(`${entry.method} ${entry.path} refused with ${result}, which it does not declare.`);
    }
    const status = refusalStatusOf(entry, result);
    if (status === undefined || refusal.status !== undefined) return refusal;
    return new Refusal(result, { status, message: refusal.message, issues: refusal.issues });
  }

  /** The fields as the contract describes them: anything else a handler returned is dropped. */
  function checked(result: ResultName, fields: unknown): object {
    if (result !== 'SUCCESS' && !entry.news?.includes(result)) {
      throw new ContractBroken(
        `${entry.method} ${entry.path} answered with ${result}, which it does not declare as news.`,
      );
    }
    const name = `The reply of ${entry.method} ${entry.path}`;
    return requireContract(fieldsWith(entry, codeOf(result)), fields, name, deps.config.isProduction);
  }
}

/** The fields as JSON without the opening brace, to be appended after `resultCode`. */
function tail(fields: object): string {
  const json = JSON.stringify(fields);
  return json === '{}' ? '}' : `,${json.slice(1)}`;
}
