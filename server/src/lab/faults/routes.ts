import { memberRepo } from '@orchestrate/db';
import { type AnyFault, contract, LIMITS, readJson } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuditFacts } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import { bearerToken, findCaller } from '#platform/http/callers/caller.ts';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { implement } from '#platform/http/implement.ts';
import { peekBody } from '#platform/http/requests/bound-body.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { subprotocolToken } from '#platform/live/serve-channel.ts';
import { Refusal } from '#platform/refusal.ts';
import { isInternalCall } from '../call-portal-api.ts';
import { interceptRequests } from '../intercept-requests.ts';
import { personIn } from '../journal/person-in.ts';
import { parseBody } from '../journal/read-entry.ts';
import { recordLabAction } from '../record-in-lab.ts';
import { markSet } from '../unused.ts';
import { answerWithFault, describeFault, pathOf, truncateFault } from './answer-with-fault.ts';
import { createFaultList, type FaultList, type SeenRequest } from './fault-list.ts';
import { LAB_PREFIX, requireFireable } from './require-served.ts';
import type { ServedPaths } from './served-paths.ts';

/** Makes calls to selected paths fail, hang, disconnect or respond late before they reach their handlers. */
export function faults(app: FastifyInstance, deps: Deps, served: () => ServedPaths): FaultList {
  const { clock } = deps;
  const list = createFaultList(() => deps.random.id());

  async function answerByFault(request: FastifyRequest, reply: FastifyReply, about?: SeenRequest['about']) {
    // Exempt the lab, so that tests can always remove their faults.
    const path = pathOf(request);
    if (path.startsWith(LAB_PREFIX) || isInternalCall(request)) return undefined;
    const { method } = request;
    const pattern = patternOf(request) ?? '';
    const seen = { method, path, pattern, ...(about && { about }) };
    const answer = list.take(seen, clock.iso());
    return answer && answerWithFault(deps, answer, request, reply);
  }

  // After a reset, delayed requests run in the new world and hanging requests end.
  const stopListening = deps.bus.listen([TOPIC.reset], () => deps.heldRequests.release());
  app.addHook('preClose', async () => {
    stopListening();
    deps.heldRequests.close();
  });

  const isAnyWaiting = () => !list.isEmpty();
  deps.isFaulty = isAnyWaiting;
  const isAsking = ({ method }: FastifyRequest) => method === 'OPTIONS';
  interceptRequests(app, 'preflight', (request) => isAnyWaiting() && isAsking(request), answerByFault);
  interceptRequests(app, 'onRequest', (request) => isAnyWaiting() && !isAsking(request), answerByFault);
  interceptRequests(app, 'preHandler', isAnyWaiting, async (request, reply) => {
    const seen = { method: request.method, path: pathOf(request), pattern: patternOf(request) ?? '' };
    const form = list.needsBody(seen) ? await formIn(request) : undefined;
    return answerByFault(request, reply, await detailsOf(deps, request, form));
  });

  deps.tampering.follow(async (kind, handedOut) => {
    if (list.isEmpty()) return undefined;
    const { orgCode, suid } = handedOut;
    const emailOf = () => memberRepo.findMember(deps.db, orgCode, suid)?.primaryEmail.toLowerCase() ?? '';
    const answer = list.takeDamage(kind, handedOut, emailOf, clock.iso());
    if (!answer) return undefined;
    deps.journal.record({ kind: 'fault', path: handedOut.path, what: describeFault(answer) });
    if (answer.delayMs) await deps.heldRequests.delay(answer.delayMs);
    return answer;
  });

  implement(app, deps, contract.readFaults, () => ({ faults: list.waiting().map(truncateFault), fired: list.fired() }));

  implement(app, deps, contract.addFault, ({ body, actor }) => {
    requireFireable(deps, body, served());
    list.add(body);
    markSet(deps, body);
    recordLabAction(deps, actor, 'lab.fault-added', recorded(body));
    return { faults: list.waiting().map(truncateFault) };
  });

  implement(app, deps, contract.clearFaults, ({ query: match, actor }) => {
    if (Object.keys(match).length === 0) list.clear();
    else if (!list.remove(match)) {
      const message = 'No pending fault has exactly this match. GET /api/lab/faults lists them.';
      throw new Refusal('ID_DOESNOT_EXIST', { message });
    }
    recordLabAction(deps, actor, 'lab.faults-cleared', { ...match });
    return {};
  });

  return list;
}

/**
 * Returns a fault for the audit trail. Includes only the field names of the answer and the body, because the values
 * can be long or private.
 */
function recorded(fault: AnyFault): AuditFacts {
  if (!('match' in fault)) return fault;
  const { match, answer, times, after } = fault;
  const { body, ...others } = match;
  const names = body && { body: Object.keys(body).join(', ') };
  return { ...others, ...names, answer: Object.keys(answer).join(', '), times, after };
}

/** Request fields that can name an organisation. */
const ORGANISATION_FIELDS = ['orgCode', 'org', 'orgId', 'code'];

type Form = Record<string, string | string[]>;

/** Returns the fields of a form that the handler or the OpenID provider reads. Undefined for other bodies. */
async function formIn({ body, headers, raw }: FastifyRequest): Promise<Form | undefined> {
  if (body instanceof URLSearchParams) return formFields(body);
  const isUnread = (body === undefined || body === null) && !raw.readableEnded;
  if (!isUnread || !headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return undefined;
  const bytes = await peekBody(raw, LIMITS.publicBodyBytes);
  return bytes && formFields(new URLSearchParams(bytes.toString()));
}

const formFields = (form: URLSearchParams): Form =>
  Object.fromEntries(
    [...form.keys()].map((name) => {
      const [value = '', ...others] = form.getAll(name);
      return [name, others.length > 0 ? [value, ...others] : value];
    }),
  );

/**
 * Returns the client ID that a request names: in the form, the query, HTTP Basic authentication (RFC 6749 §2.3.1) or a
 * client assertion (RFC 7523 §3).
 */
function clientIn({ query, headers }: FastifyRequest, form: Form | undefined): string | undefined {
  const named = form?.client_id ?? fieldsOf(query).client_id;
  if (typeof named === 'string') return named;
  const [, basic] = /^basic +(.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (basic) {
    const [name = ''] = Buffer.from(basic, 'base64').toString().split(':');
    return new URLSearchParams(`id=${name}`).get('id') ?? undefined;
  }
  const [, payload] = String(form?.client_assertion ?? '').split('.');
  const { sub } = fieldsOf(readJson(Buffer.from(payload ?? '', 'base64url').toString()));
  return typeof sub === 'string' ? sub : undefined;
}

/**
 * Returns the people and organisations that a request comes from or names, its client ID and its body. The path, the
 * query and top-level body fields can name people directly or through a device or pending request.
 * @param form the body, if it is a form
 */
async function detailsOf(deps: Deps, request: FastifyRequest, form: Form | undefined) {
  const { headers, params, query } = request;
  const body = parseBody(request.body);
  const parts = [params, query, body].map(fieldsOf);
  const texts = parts.flatMap((part) => Object.values(part)).filter((value) => typeof value === 'string');
  const emails = new Set(texts.filter((text) => text.includes('@')).map((text) => text.trim().toLowerCase()));
  const orgs = new Set(
    parts
      .flatMap((part) => ORGANISATION_FIELDS.map((name) => part[name]))
      .flatMap((value) => (typeof value === 'string' ? [value.trim().toLowerCase()] : [])),
  );
  const { email, org } = personIn(deps, [body, query, params]);
  if (email !== undefined) emails.add(email);
  if (org !== undefined) orgs.add(org);
  const token = bearerToken(headers.authorization) ?? subprotocolToken(request);
  const claims = token ? (deps.tokens.recall(token) ?? (await deps.tokens.verify(token))) : null;
  const caller = claims && findCaller(deps, claims);
  if (caller) {
    emails.add(caller.member.primaryEmail.toLowerCase());
    orgs.add(caller.orgCode);
  }
  return { emails, orgs, client: clientIn(request, form), body: form ?? body };
}
