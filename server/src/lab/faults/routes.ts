import { memberRepo } from '@orchestrate/db';
import { type AnyFault, contract } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuditFacts } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import { bearerToken, findCaller } from '#platform/http/callers/caller.ts';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { implement } from '#platform/http/implement.ts';
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
    const seen = { method, path, pattern: patternOf(request) ?? '', ...(about && { about }) };
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
  const isAsking = ({ method }: FastifyRequest) => method === 'OPTIONS';
  interceptRequests(app, 'preflight', (request) => isAnyWaiting() && isAsking(request), answerByFault);
  interceptRequests(app, 'onRequest', (request) => isAnyWaiting() && !isAsking(request), answerByFault);
  interceptRequests(app, 'preHandler', isAnyWaiting, async (request, reply) =>
    answerByFault(request, reply, await peopleIn(deps, request)),
  );

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
 * Returns a fault for the audit trail. Includes only the answer's field names, because the values can be long or
 * private.
 */
function recorded(fault: AnyFault): AuditFacts {
  if (!('match' in fault)) return fault;
  const { match, answer, times, after } = fault;
  return { ...match, answer: Object.keys(answer).join(', '), times, after };
}

/** Request fields that can name an organisation. */
const ORGANISATION_FIELDS = ['orgCode', 'org', 'orgId', 'code'];

/**
 * Returns the people and organisations that a request comes from or names. The path, the query and top-level body
 * fields can name them directly or through a device or pending request.
 */
async function peopleIn(deps: Deps, request: FastifyRequest) {
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
  return { emails, orgs };
}
