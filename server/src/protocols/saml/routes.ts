import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { answerError } from '../../http/answer-error.ts';
import { writeLimit } from '../../http/rate-limit.ts';
import { sendDocument } from '../../http/send-json.ts';
import { idpMetadata } from '../../saml/idp-metadata.ts';
import { sendProblem } from './pages.ts';
import { MESSAGE_MAX_LENGTH } from './parse-message.ts';
import { type Received, receivePosted, receiveRedirected } from './receive-message.ts';
import { SamlProblem } from './saml-problem.ts';
import { type ApplicationPath, beginSignIn, finishSignIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { finishTry, requireTry } from './try.ts';

type OfApplication = { Params: ApplicationPath };
type Posted = OfApplication & { Body: URLSearchParams };

/** The identity provider that an organisation is to each of its SAML applications. To be registered in a scope of its own. */
export function saml(scope: FastifyInstance, deps: Deps): void {
  // A message in base64, which the form escapes once more.
  const bodyLimit = 3 * MESSAGE_MAX_LENGTH;
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (_request, body, done) => {
      done(null, new URLSearchParams(String(body)));
    },
  );
  scope.setErrorHandler((reason, request, reply) =>
    reason instanceof SamlProblem ? sendProblem(deps, reply, reason) : answerError(deps, reason, request, reply),
  );
  const limit = writeLimit(scope, deps.config);

  // An entity id is an address, at which its metadata may be asked for (SAML 2.0 metadata §4.1).
  for (const path of ['/saml/:orgCode/:appId', '/saml/:orgCode/:appId/metadata']) {
    scope.get<OfApplication>(path, async ({ params: { orgCode, appId } }, reply) =>
      sendDocument(deps, reply, {
        type: 'application/samlmetadata+xml',
        text: await idpMetadata(deps, orgCode, appId),
        fileName: undefined,
      }),
    );
  }

  scope.get<OfApplication>('/saml/:orgCode/:appId/sso', limit, async (request, reply) =>
    beginSignIn(deps, reply, request.params, await receiveRedirected(queryOf(request))),
  );
  scope.post<Posted>('/saml/:orgCode/:appId/sso', limit, async ({ params, body }, reply) =>
    beginSignIn(deps, reply, params, requireMessage(await receivePosted(formOf(body)))),
  );
  scope.get<{ Params: { orgCode: string } }>('/saml/:orgCode/continue', async (request, reply) => {
    const id = new URLSearchParams(queryOf(request)).get('id') ?? '';
    return finishSignIn(deps, reply, { orgCode: request.params.orgCode, id, cookie: request.headers.cookie });
  });

  scope.get<OfApplication>('/saml/:orgCode/:appId/try', limit, async (request, reply) => {
    const id = new URLSearchParams(queryOf(request)).get('id') ?? '';
    return beginSignIn(deps, reply, request.params, undefined, requireTry(deps, request.params, id));
  });
  scope.post<{ Params: { orgCode: string }; Body: URLSearchParams }>('/saml/:orgCode/try', limit, (request, reply) => {
    const { orgCode } = request.params;
    return finishTry(deps, reply, { orgCode, form: formOf(request.body), cookie: request.headers.cookie });
  });

  const logout = (reply: FastifyReply, params: ApplicationPath, received: Received | undefined) =>
    signOut(deps, reply, params, requireMessage(received));
  scope.get<OfApplication>('/saml/:orgCode/:appId/slo', limit, async (request, reply) =>
    logout(reply, request.params, await receiveRedirected(queryOf(request))),
  );
  scope.post<Posted>('/saml/:orgCode/:appId/slo', limit, async ({ params, body }, reply) =>
    logout(reply, params, await receivePosted(formOf(body))),
  );
}

/** As it was sent: what is signed is not to be written anew. */
const queryOf = ({ raw: { url = '' } }: Pick<FastifyRequest, 'raw'>): string => url.slice(`${url}?`.indexOf('?') + 1);

/** JSON has a parser of its own, which is no business of a browser that posts a form. */
function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

function requireMessage(received: Received | undefined): Received {
  if (!received) throw new SamlProblem('There is no request of an application here.');
  return received;
}
