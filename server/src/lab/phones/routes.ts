import { challengeRepo, memberRepo } from '@orchestrate/db';
import {
  appEnvOf,
  contract,
  type EndpointDefinition,
  type OpenRequest,
  type PhoneAnswer,
  type QrPayload,
  qrAddress,
  resultNameOf,
  TEST_HAS_NO_ANSWER,
} from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { requireLab } from '#platform/http/callers/require-lab.ts';
import { implement } from '#platform/http/implement.ts';
import { Refusal, refuseField } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { refusalOf } from '../call-portal-api.ts';
import { interceptRequests } from '../intercept-requests.ts';
import { parseBody } from '../journal/read-entry.ts';
import { recordLabAction } from '../record-in-lab.ts';
import { markSet } from '../unused.ts';
import { runUnlessReset } from '../world/run-unless-reset.ts';
import { requirePhone } from './find-phone.ts';
import { answerAsPhone, type PhoneResponse } from './phone.ts';
import { createPolicies, type Policies } from './policies.ts';
import { virtualDevices } from './virtual-devices.ts';

/** Returns the requests that a phone can respond to now, newest first. */
function openRequests({ db, clock, publicUrl }: Deps): OpenRequest[] {
  const template = `${publicUrl}/authenticator`;
  const env = appEnvOf(new URL(publicUrl).hostname);
  return challengeRepo
    .listOpenChallenges(db, clock.now())
    .toReversed()
    .map((row) => {
      const { id, kind, mode, orgCode, suid, qid, did, matchNumber, appName, zid, createdAt, expiresAt } = row;
      const shown = shownInQr(row);
      const member = suid === null ? undefined : memberRepo.findMember(db, orgCode, suid);
      return {
        challengeId: id,
        kind,
        mode,
        orgCode,
        ...(member && { email: member.primaryEmail }),
        ...(qid !== null && { qid }),
        ...(did !== null && { did }),
        ...(shown && { payload: qrAddress(template, shown, env) }),
        ...(matchNumber !== null && { matchNumber }),
        ...(appName !== null && { appName }),
        isOpened: zid !== null || mode === 'PUSH',
        requestedAt: isoOf(createdAt),
        expiresAt: isoOf(expiresAt),
      };
    });
}

/** Returns the content of a request's QR code, or undefined if the request doesn't have one. */
function shownInQr({ kind, orgCode, qid }: challengeRepo.ChallengeRow): QrPayload | undefined {
  if (qid === null) return undefined;
  if (kind === 'add-device') return { kind, orgCode, aid: qid };
  return { kind: kind === 'test' ? 'test-device' : 'sign-in', orgCode, qidCode: qid };
}

/** Request header that exempts the application sign-in in the body from policies, because the sender answers it. */
const EXEMPT = 'x-lab-policies';

/**
 * Lets a program start an application sign-in that it answers itself, as `portal.browser` does. A policy would
 * otherwise sometimes answer first.
 */
function exemptSignIns(app: FastifyInstance, deps: Deps, policies: Policies): void {
  const isPresent = ({ headers }: FastifyRequest) => headers[EXEMPT] !== undefined;
  interceptRequests(app, 'preHandler', isPresent, async (request) => {
    const { [EXEMPT]: given, 'x-lab-token': token } = request.headers;
    requireLab(deps.config, request, token === undefined ? undefined : String(token));
    const { appLoginId } = fieldsOf(parseBody(request.body));
    if (given !== 'off' || typeof appLoginId !== 'string') {
      const message = `${EXEMPT} must be off, on a request that starts an application sign-in.`;
      refuseField(EXEMPT, message);
    }
    policies.exempt(appLoginId);
    return undefined;
  });
}

/** Serves the simulated phones: keys, policies and individual responses. */
export function phones(app: FastifyInstance, deps: Deps): Policies {
  const policies = createPolicies(app, deps);
  virtualDevices(app, deps);
  exemptSignIns(app, deps, policies);

  implement(app, deps, contract.readRequests, () => ({ requests: openRequests(deps) }));

  implement(app, deps, contract.readPolicies, () => policies.list());

  implement(app, deps, contract.setPolicy, ({ body, actor }) => {
    markSet(deps, body);
    policies.set(body);
    const { match, ...policy } = body;
    recordLabAction(deps, actor, 'lab.policy-set', { ...match, ...policy });
    return policies.list();
  });

  implement(app, deps, contract.clearPolicies, ({ query: { everybody, ...match }, actor }) => {
    if (everybody || Object.keys(match).length > 0) policies.remove(match);
    else policies.clear();
    recordLabAction(deps, actor, 'lab.policies-cleared', { ...match, ...(everybody && { everybody }) });
    return {};
  });

  async function answerOnce(loginId: string, as: string, response: PhoneResponse) {
    const challenge =
      challengeRepo.findChallengeByHandle(deps.db, loginId) ??
      challengeRepo.findChallengeByHandle(deps.db, loginId.replaceAll(/[\s-]/g, '').toUpperCase());
    if (!challenge) {
      const message = `There is no sign-in or request with the ID ${loginId}.`;
      throw new Refusal('ID_DOESNOT_EXIST', { message, issues: [{ path: 'loginId', message }] });
    }
    const phone = requirePhone(deps, 'as', as, challenge.orgCode);
    if (response.number !== undefined && challenge.matchNumber === null) {
      const message = "This request doesn't display a number. Omit number.";
      refuseField('number', message);
    }
    if (challenge.kind === 'test' && (response.answer === 'deny' || response.lie)) {
      const path = response.lie ? 'lie' : 'as';
      throw new Refusal('INVALID_REQUEST', {
        message: TEST_HAS_NO_ANSWER,
        issues: [{ path, message: TEST_HAS_NO_ANSWER }],
      });
    }
    const answered = await answerAsPhone(app, deps, phone, challenge, response);
    const { orgCode, suid } = challenge;
    if (answered.resultName !== 'ID_DOESNOT_EXIST' || suid === null || suid === phone.member.suid) return answered;
    // The portal doesn't disclose to a phone that a request is for someone else, but a test needs to know.
    const whose = memberRepo.findMember(deps.db, orgCode, suid)?.primaryEmail;
    return { ...answered, message: `${answered.message} The request is for ${whose}, not for ${as}.` };
  }

  async function answerNow(
    entry: EndpointDefinition,
    loginId: string,
    as: string,
    response: PhoneResponse,
    actor: AuditActor,
  ) {
    const result = await runUnlessReset(deps, () => answerOnce(loginId, as, response));
    recordLabAction(deps, actor, 'lab.phone-answered', { as, ...response, result: result.resultName });
    // A refusal is the expected result for a lie or a wrong number.
    return { result: response.lie || response.number === 'wrong' ? result : requireTaken(entry, result) };
  }

  implement(app, deps, contract.approveRequest, ({ params: { loginId }, body: { as, ...response }, actor }) =>
    answerNow(contract.approveRequest, loginId, as, { answer: 'approve', ...response }, actor),
  );
  implement(app, deps, contract.denyRequest, ({ params: { loginId }, body: { as, ...response }, actor }) =>
    answerNow(contract.denyRequest, loginId, as, { answer: 'deny', ...response }, actor),
  );

  return policies;
}

/**
 * Throws if the portal refused an honest phone, because then the test is wrong.
 * @throws Refusal
 */
function requireTaken(entry: EndpointDefinition, result: PhoneAnswer): PhoneAnswer {
  const name = resultNameOf(result.resultCode) ?? 'FAILED';
  if (name === 'SUCCESS' || name === 'TEST_DEVICE_SUCCESS') return result;
  throw refusalOf(entry, name, result.message);
}
