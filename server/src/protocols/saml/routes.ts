import { organisationRepo } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import { answerError } from '#platform/http/answers/answer-error.ts';
import { isAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { writeLimit } from '#platform/http/callers/rate-limit.ts';
import { readForms } from '#platform/http/requests/read-bodies.ts';
import { continuePath, samlPath, tryPath } from '#platform/own-addresses.ts';
import { sendProblem } from './pages.ts';
import { SamlProblem } from './saml-problem.ts';
import type { ApplicationPath } from './sign-in.ts';

type OfApplication = { Params: ApplicationPath };
type OfOrganisation = { Params: { orgCode: string } };
type Posted = OfApplication & { Body: URLSearchParams };

/**
 * The identity provider that an organisation is to each of its SAML applications. Register it in a scope of its own.
 * The handlers are loaded on the first request.
 */
export function saml(scope: FastifyInstance, deps: Deps): void {
  readForms(scope);
  scope.setErrorHandler((reason, request, reply) =>
    reason instanceof SamlProblem ? sendProblem(deps, reply, reason) : answerError(deps, reason, request, reply),
  );
  const limit = { bodyLimit: LIMITS.samlFormBytes, ...writeLimit(scope, deps.config) };
  // Nothing is begun, and no message used up, by a program that looks ahead.
  const begins = { ...limit, exposeHeadRoute: false };

  /**
   * Signing in is subject to the organisation's address list; signing out and reading metadata are not. @throws
   * SamlProblem
   */
  function requireOpen({ params: { orgCode }, ip }: { params: { orgCode: string }; ip: string }): void {
    const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
    if (!isAllowedIp(ip, organisation?.allowedIps ?? [])) throw new SamlProblem(BLOCKED, 403);
  }

  const ofApplication = `${samlPath(':orgCode')}/:appId`;
  const answers = lazily(() => import('./answer-saml.ts'));

  // An entity id is an address at which its metadata may be requested (SAML 2.0 metadata §4.1).
  for (const path of [ofApplication, `${ofApplication}/metadata`]) {
    scope.get<OfApplication>(path, async ({ params }, reply) => (await answers()).metadata(deps, reply, params));
  }

  scope.get<OfApplication>(`${ofApplication}/sso`, begins, async (request, reply) => {
    requireOpen(request);
    return (await answers()).signIn(deps, request, reply, queryOf(request));
  });
  scope.post<Posted>(`${ofApplication}/sso`, limit, async (request, reply) => {
    requireOpen(request);
    return (await answers()).signIn(deps, request, reply, formOf(request.body));
  });
  scope.get<OfOrganisation>(continuePath('saml', ':orgCode'), { exposeHeadRoute: false }, async (request, reply) => {
    requireOpen(request);
    const { startSignIn, finishSignIn } = await answers();
    const query = new URLSearchParams(queryOf(request));
    const login = { orgCode: request.params.orgCode, id: idOf(request), cookie: request.headers.cookie };
    return query.has('start') ? startSignIn(deps, reply, login) : finishSignIn(deps, reply, login);
  });

  scope.get<OfApplication>(`${ofApplication}/try`, begins, async (request, reply) => {
    requireOpen(request);
    return (await answers()).beginTry(deps, request, reply, idOf(request));
  });
  scope.post<OfOrganisation & { Body: URLSearchParams }>(tryPath('saml', ':orgCode'), limit, async (request, reply) => {
    const { orgCode } = request.params;
    return (await answers()).finishTry(deps, reply, {
      orgCode,
      form: formOf(request.body),
      cookie: request.headers.cookie,
    });
  });

  scope.get<OfApplication>(`${ofApplication}/slo`, begins, async (request, reply) =>
    (await answers()).logout(deps, request, reply, queryOf(request)),
  );
  scope.post<Posted>(`${ofApplication}/slo`, limit, async (request, reply) =>
    (await answers()).logout(deps, request, reply, formOf(request.body)),
  );
}

const BLOCKED =
  'Your organisation does not let anybody sign in from your address. Connect through one of its networks.';

/** The query exactly as it was sent: what is signed must not be serialised again. */
const queryOf = ({ raw: { url = '' } }: Pick<FastifyRequest, 'raw'>): string => url.slice(`${url}?`.indexOf('?') + 1);

const idOf = (request: Pick<FastifyRequest, 'raw'>): string => new URLSearchParams(queryOf(request)).get('id') ?? '';

/** The scope also parses JSON, which a browser that posts a form never sends: such a body counts as an empty form. */
function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
