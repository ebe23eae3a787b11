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
 * Registers the identity provider of each organisation's SAML applications, in its own scope. The handlers are loaded
 * on the first request.
 */
export function saml(scope: FastifyInstance, deps: Deps): void {
  readForms(scope);
  scope.setErrorHandler((reason, request, reply) =>
    reason instanceof SamlProblem ? sendProblem(deps, reply, reason) : answerError(deps, reason, request, reply),
  );
  const limit = { bodyLimit: LIMITS.samlFormBytes, ...writeLimit(scope, deps.config) };
  // A HEAD request, e.g. from a link preview, must not start a sign-in or use up a message.
  const begins = { ...limit, exposeHeadRoute: false };

  /**
   * Applies the organisation's address list to signing in, but not to signing out and reading metadata.
   * @throws SamlProblem
   */
  function requireOpen({ params: { orgCode }, ip }: { params: { orgCode: string }; ip: string }): void {
    const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
    if (!isAllowedIp(ip, organisation?.allowedIps ?? [])) throw new SamlProblem(BLOCKED, 403);
  }

  const ofApplication = `${samlPath(':orgCode')}/:appId`;
  const answers = lazily(() => import('./answer-saml.ts'));

  // An entity id should be the URL of its metadata (SAML 2.0 metadata §4.1).
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
    return (await answers()).beginTest(deps, request, reply, idOf(request));
  });
  scope.post<OfOrganisation & { Body: URLSearchParams }>(tryPath('saml', ':orgCode'), limit, async (request, reply) => {
    const { orgCode } = request.params;
    return (await answers()).finishTest(deps, reply, {
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

const BLOCKED = "Your organisation doesn't allow sign-ins from your network. Connect through one of its own.";

/** Returns the query exactly as it was sent, because serialising it again would break the signature. */
const queryOf = ({ raw: { url = '' } }: Pick<FastifyRequest, 'raw'>): string => url.slice(`${url}?`.indexOf('?') + 1);

const idOf = (request: Pick<FastifyRequest, 'raw'>): string => new URLSearchParams(queryOf(request)).get('id') ?? '';

/** Returns an empty form for JSON, which the scope also parses but browsers never post. */
function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
