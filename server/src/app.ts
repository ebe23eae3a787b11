import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import type { Deps } from './deps.ts';
import { activation } from './features/activation/routes.ts';
import { appPreview } from './features/app-preview/routes.ts';
import { appTry } from './features/app-try/routes.ts';
import { apps } from './features/apps/routes.ts';
import { authenticator } from './features/authenticator/routes.ts';
import { client } from './features/client/routes.ts';
import { devices } from './features/devices/routes.ts';
import { externalSignIn } from './features/external-sign-in/routes.ts';
import { faq } from './features/faq/routes.ts';
import { invite } from './features/invite/routes.ts';
import { login } from './features/login/routes.ts';
import { people } from './features/people/routes.ts';
import { provisioning } from './features/provisioning/routes.ts';
import { reference } from './features/reference/routes.ts';
import { roles } from './features/roles/routes.ts';
import { service } from './features/service/routes.ts';
import { session } from './features/session/routes.ts';
import { settings } from './features/settings/routes.ts';
import { signup } from './features/signup/routes.ts';
import { verbal } from './features/verbal/routes.ts';
import { keepHouse } from './housekeeping.ts';
import { answerErrors } from './http/answer-error.ts';
import { readShallowJson } from './http/bounded-json.ts';
import { sendBrowserHeaders, stayBehindHttps } from './http/browser-headers.ts';
import { hangUpInTheEnd } from './http/hang-up.ts';
import { logRequests } from './http/log-requests.ts';
import { limitRates } from './http/rate-limit.ts';
import { serverOptions } from './http/server-options.ts';
import { hangUpOnDripping } from './http/slow-bodies.ts';
import { lab } from './lab/routes.ts';
import { serveUpgrades } from './live/upgrade.ts';
import { deliverMails } from './mails/deliver-mails.ts';
import { oidc } from './protocols/oidc/routes.ts';
import { oidcTry } from './protocols/oidc/try-routes.ts';
import { saml } from './protocols/saml/routes.ts';
import { scim } from './protocols/scim/routes.ts';

/** The whole portal, not listening yet. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify(serverOptions(deps));
  logRequests(app, deps);
  answerErrors(app, deps);
  stayBehindHttps(app, deps);
  // The API speaks JSON. Text would reach handlers unread, and any web page may send it here.
  app.removeContentTypeParser('text/plain');
  readShallowJson(app);
  await limitRates(app, deps.config);
  serveUpgrades(app, deps);
  hangUpInTheEnd(app);
  hangUpOnDripping(app, deps);
  if (deps.config.lab) lab(app, deps);

  service(app, deps);
  session(app, deps);
  login(app, deps);
  externalSignIn(app, deps);
  people(app, deps);
  roles(app, deps);
  devices(app, deps);
  activation(app, deps);
  invite(app, deps);
  signup(app, deps);
  verbal(app, deps);
  authenticator(app, deps);
  settings(app, deps);
  faq(app, deps);
  provisioning(app, deps);
  apps(app, deps);
  appPreview(app, deps);
  appTry(app, deps);
  oidc(app, deps);
  oidcTry(app, deps);
  scim(app, deps);
  const samlMessages: FastifyPluginAsync = async (scope) => saml(scope, deps);
  await app.register(samlMessages);
  keepHouse(app, deps);
  deliverMails(app, deps);

  const pages: FastifyPluginAsync = async (scope) => {
    await sendBrowserHeaders(scope, deps);
    reference(scope, deps);
    await client(scope);
  };
  await app.register(pages);
  return app;
}
