import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  COMMON_REFUSALS,
  codeOf,
  documentTypesOf,
  type EndpointDefinition,
  fieldsWith,
  LIMITS,
  type ResultName,
  refusalStatusOf,
} from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Deps } from '#deps.ts';
import { Refusal } from '../refusal.ts';
import { languageOf } from '../words/language.ts';
import { hasTexts, translateTexts } from '../words/translate-texts.ts';
import { type Answer, Document, Download, NamedSuccess, Redirect } from './answers/answer.ts';
import { ContractBroken, requireContract } from './answers/contract-broken.ts';
import { sendDocument, sendDownload, sendJson, sendRedirect } from './answers/send-json.ts';
import { labActor, memberActor, visitorActor } from './callers/actors.ts';
import { userAgentOf } from './callers/browser.ts';
import { bearerToken, type Caller, requireCaller } from './callers/caller.ts';
import { fieldsOf, requireAccess, requireMember, requireOwnOrganisation } from './callers/permissions.ts';
import { publicWriteLimit } from './callers/rate-limit.ts';
import { requireLab } from './callers/require-lab.ts';
import type { ServedEntry } from './contract-routes.ts';
import type { Call, Handler } from './handler.ts';
import { mayBeLarger, requireAnnouncedSize } from './requests/bound-body.ts';
import { readRequest } from './requests/read-request.ts';
import { allowUploads, type OpenUpload, openUpload, readForm } from './requests/uploads.ts';
import { readIfMatch, StaleVersion, trackVersion, type VersionUse } from './versions.ts';

const nameOf = ({ method, path }: EndpointDefinition): string => `${method} ${path}`;

/**
 * Requires that a request records only events declared by its contract entry.
 * @param mustRecord true if the request must record at least one declared event
 * @throws ContractBroken
 */
function requireDeclaredEvents(
  entry: EndpointDefinition,
  recorded: readonly string[],
  { mustRecord }: { mustRecord: boolean },
): void {
  const events: readonly string[] = entry.events ?? [];
  const undeclared = recorded.find((action) => !events.includes(action));
  if (undeclared)
    throw new ContractBroken(
      `${nameOf(entry)} recorded ${undeclared}, but declares only: ${events.join(', ') || 'nothing'}.`,
    );
  if (mustRecord && events.length > 0 && recorded.length === 0) {
    throw new ContractBroken(`${nameOf(entry)} must record ${events.join(' or ')}, but recorded nothing.`);
  }
}

/**
 * Requires that a handler used the object's version.
 * @throws ContractBroken if it didn't
 */
function requireVersionUsed(entry: EndpointDefinition, use: VersionUse): void {
  const missing = [
    ...(entry.method === 'GET' || use.isRequired() ? [] : ['version.require']),
    ...(use.isAnswered() ? [] : ['version.answer']),
  ];
  if (missing.length === 0) return;
  throw new ContractBroken(`${nameOf(entry)} must call ${missing.join(' and ')}, but did not.`);
}

/**
 * Parses an object's current state with the contract entry's schema.
 * @throws ContractBroken if the state doesn't match or the entry declares none
 */
function declaredState(entry: EndpointDefinition, present: object): object {
  const name = `The current state in ${nameOf(entry)}`;
  if (!entry.current) throw new ContractBroken(`${name} is not declared: the contract entry has no \`current\`.`);
  return requireContract(entry.current, present, name, true);
}

/**
 * Returns a handler's refusal with the contract entry's HTTP status. Outside production, the entry must declare the
 * refusal.
 */
function declaredRefusal(entry: EndpointDefinition, refusal: Refusal, isProduction: boolean): Error {
  const { result } = refusal;
  const isDeclared = entry.refuses?.includes(result) || COMMON_REFUSALS.includes(result);
  if (!isDeclared && !isProduction) {
    return new ContractBroken(`${nameOf(entry)} refused with ${result}, which its contract entry does not declare.`);
  }
  const status = refusalStatusOf(entry, result);
  if (status === undefined || refusal.status !== undefined) return refusal;
  return new Refusal(result, { ...refusal, status, message: refusal.message });
}

/**
 * Parses reply fields with the contract entry's schema. In production, undeclared fields are dropped.
 * @throws ContractBroken
 */
function declaredFields(entry: EndpointDefinition, result: ResultName, fields: unknown, isProduction: boolean): object {
  if (result !== 'SUCCESS' && !entry.news?.includes(result)) {
    throw new ContractBroken(
      `${nameOf(entry)} answered with ${result}, which its contract entry does not declare as news.`,
    );
  }
  return requireContract(fieldsWith(entry, codeOf(result)), fields, `The reply of ${nameOf(entry)}`, isProduction);
}

/**
 * Returns true if the client has disconnected. Yields to the event loop first, to notice a disconnect during long
 * synchronous work.
 */
async function hasHungUp({ socket }: FastifyRequest): Promise<boolean> {
  await nextTurn();
  await nextTurn();
  return socket.destroyed || socket.readableEnded;
}

/** A request with its caller and parsed input. */
interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller | undefined;
  upload?: OpenUpload;
  use: VersionUse | undefined;
}

/**
 * Adds the route of a contract entry. The route checks the caller, their access and the request, runs the handler,
 * and wraps the result in the envelope. Handlers never run for callers without access.
 */
export function implement<const D extends EndpointDefinition>(
  app: FastifyInstance,
  deps: Deps,
  entry: D,
  handler: Handler<D>,
): void {
  deps.registered.endpoints.push(entry);
  const { access } = entry;
  const { isProduction } = deps.config;
  const isAnonymous = access.who === 'public' || access.who === 'device';
  const isForSignedIn = !isAnonymous && access.who !== 'lab';
  // Uploads have a separate limit, which isn't applied here.
  const isBounded = isAnonymous && !entry.multipart;

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

  const signedInCaller = ({ headers, ip }: FastifyRequest): Promise<Caller> =>
    requireCaller(deps, bearerToken(headers.authorization), entry.isFromAnywhere ? undefined : ip);

  /**
   * Returns the caller after checking their access. Runs before the request is parsed, so callers without access
   * learn nothing about valid requests.
   */
  async function callerOf(request: FastifyRequest): Promise<Caller | undefined> {
    if (!isForSignedIn) return undefined;
    const caller = await signedInCaller(request);
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
    const userAgent = userAgentOf(request);
    const wantsPage = headers.accept?.includes('text/html') ?? false;
    const isPrefetch = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].some(
      (purpose) => /prefetch|prerender|preview/i.test(String(purpose)),
    );
    const { cookie } = headers;
    const setCookie = (header: string) => void reply.header('set-cookie', header);
    const isWaiting = async () => !(await hasHungUp(request));
    const file = upload?.file;
    const actor = caller ? memberActor(caller, ip) : access.who === 'lab' ? labActor(ip) : visitorActor(ip);
    const version = use?.version;
    // The compiler can't verify these types, but the contract entry's schemas and access checks have. This is the
    // only type assertion in this file.
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
      isWaiting,
      wantsPage,
      isPrefetch,
    } as Call<D>;
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answer = await answerTo(request, reply);
    if (answer instanceof Redirect && !entry.redirects) {
      throw new ContractBroken(
        `${entry.method} ${entry.path} redirected, but its contract entry does not declare a redirect.`,
      );
    }
    if (answer instanceof Redirect) return sendRedirect(deps, reply, answer.location);
    if (answer instanceof Download) return sendDownload(deps, reply, answer);
    if (answer instanceof Document)
      return sendDocument(deps, reply, { type: documentTypesOf(entry)[0] ?? '', ...answer });
    const { result, fields } = answer instanceof NamedSuccess ? answer : { result: 'SUCCESS' as const, fields: answer };
    const declared = declaredFields(entry, result, fields, isProduction);
    const schema = fieldsWith(entry, codeOf(result));
    const language = hasTexts(schema) ? languageOf(request) : undefined;
    const translated = language ? translateTexts(schema, declared, language) : declared;
    return sendJson(deps, reply, `{"resultCode":${codeOf(result)}${tail(translated)}`, language);
  }

  const pattern = `/api${entry.path}`;
  const limit = publicWriteLimit(app, entry, deps.config);
  const served: ServedEntry = {
    pattern,
    ...(isBounded && { maxBytes: LIMITS.publicBodyBytes }),
    async onRequest(request, reply) {
      if (access.who === 'lab') requireLab(deps.config, request);
      await limit?.call(app, request, reply);
      if (isBounded) requireAnnouncedSize(request.raw, LIMITS.publicBodyBytes);
      // Only signed-in callers can make the portal read and parse a larger body.
      else if (isForSignedIn && mayBeLarger(request.raw, LIMITS.publicBodyBytes)) await signedInCaller(request);
    },
    handler: send,
  };
  // Fastify needs the body limit and the parser before it reads the body.
  const own: RouteOptions = { method: entry.method, url: pattern, ...served };
  if (entry.multipart) allowUploads(app, (scope) => scope.route(own));
  else if (entry.bodyBytes) app.route({ ...own, bodyLimit: entry.bodyBytes });
  else app.served.set(entry, served);

  async function answerOf(exchange: Exchange): Promise<Answer<D>> {
    const { caller, use } = exchange;
    const call = callOf(exchange);
    try {
      const answer = await handler(call);
      if (!isProduction) {
        requireDeclaredEvents(entry, call.actor.recorded, { mustRecord: caller !== undefined });
        if (use) requireVersionUsed(entry, use);
      }
      return answer;
    } catch (reason) {
      if (reason instanceof StaleVersion) throw reason.refusal(declaredState(entry, await reason.present()));
      throw reason instanceof Refusal ? declaredRefusal(entry, reason, isProduction) : reason;
    }
  }
}

/** Returns the fields as JSON without the opening brace, ready to append after `resultCode`. */
function tail(fields: object): string {
  const json = JSON.stringify(fields);
  return json === '{}' ? '}' : `,${json.slice(1)}`;
}
