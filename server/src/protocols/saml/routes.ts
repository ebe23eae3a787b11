import { organisationRepo } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import { answerError } from '#platform/http/answers/answer-error.ts';
import { isAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { writeLimit } from '#platform/http/callers/rate-limit.ts';
import { acceptForms } from '#platform/http/requests/read-bodies.ts';
import { continuePath, samlPath, testSignInPath } from '#platform/own-addresses.ts';
import { sendProblem } from './pages.ts';
import { SamlProblem } from './saml-problem.ts';
import type { ApplicationPath } from './sign-in.ts';

type OfApplication = { Params: ApplicationPath };
type OfOrganisation = { Params: { orgCode: string } };
type Posted = OfApplication & { Body: URLSearchParams };

/**
 * Registers an organisation's identity provider for SAML applications, in its own scope. The handlers are loaded on
 * the first request.
 */
export function saml(scope: FastifyInstance, deps: Deps): void {
  acceptForms(scope);
  scope.setErrorHandler((reason, request, reply) =>
    reason instanceof SamlProblem ? sendProblem(deps, reply, reason) : answerError(deps, reason, request, reply),
  );
  const limit = { bodyLimit: LIMITS.samlFormBytes, ...writeLimit(scope, deps.config) };
  // HEAD requests, e.g. for link previews, must not start a sign-in or use up a message.
  const begins = { ...limit, exposeHeadRoute: false };

  /**
   * Applies the organisation's allowed addresses to sign-in, but not to sign-out or metadata.
   * @throws SamlProblem
   */
  function requireOpen({ params: { orgCode }, ip }: { params: { orgCode: string }; ip: string }): void {
    const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
    if (!isAllowedIp(ip, organisation?.allowedIps ?? [])) throw new SamlProblem(BLOCKED, 403);
  }

  const ofApplication = `${samlPath(':orgCode')}/:appId`;
  const answers = lazily(() => import('./answer-saml.ts'));

  // An entity ID should be the URL of the metadata (SAML 2.0 metadata §4.1).
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
  scope.post<OfOrganisation & { Body: URLSearchParams }>(
    testSignInPath('saml', ':orgCode'),
    limit,
    async (request, reply) => {
      const { orgCode } = request.params;
      return (await answers()).finishTest(deps, reply, {
        orgCode,
        form: formOf(request.body),
        cookie: request.headers.cookie,
      });
    },
  );

  scope.get<OfApplication>(`${ofApplication}/slo`, begins, async (request, reply) =>
    (await answers()).logout(deps, request, reply, queryOf(request)),
  );
  scope.post<Posted>(`${ofApplication}/slo`, limit, async (request, reply) =>
    (await answers()).logout(deps, request, reply, formOf(request.body)),
  );
}

const BLOCKED =
  "Your organisation doesn't allow sign-ins from your network. Connect through one of its networks and try again.";

/** Returns the query exactly as sent, because serialising it again would break the signature. */
const queryOf = ({ raw: { url = '' } }: Pick<FastifyRequest, 'raw'>): string => url.slice(`${url}?`.indexOf('?') + 1);

const idOf = (request: Pick<FastifyRequest, 'raw'>): string => new URLSearchParams(queryOf(request)).get('id') ?? '';

/** Returns the form. JSON, which the scope also parses but browsers never post, becomes an empty form. */
function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
