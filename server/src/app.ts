import { projectPath } from '@orchestrate/db';
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import type { Deps } from './deps.ts';
import { activation } from './features/activation/routes.ts';
import { configuredApps } from './features/applications/configured-apps.ts';
import { configuredApis } from './features/applications/oidc/configured-apis.ts';
import { appPreview } from './features/applications/preview/routes.ts';
import { applications } from './features/applications/routes.ts';
import { testSignIns } from './features/applications/test-sign-in/routes.ts';
import { approvals } from './features/approvals/routes.ts';
import { auditTrail } from './features/audit/routes.ts';
import { authenticator } from './features/authenticator/routes.ts';
import { callerAuthentication } from './features/caller-authentication/routes.ts';
import { inlineScriptsOf } from './features/client/page.ts';
import { client, repairPagePath } from './features/client/routes.ts';
import { configuration } from './features/configuration/routes.ts';
import { devices } from './features/devices/routes.ts';
import { configuredFaq } from './features/faq/configured-faq.ts';
import { faq } from './features/faq/routes.ts';
import { groups } from './features/groups/routes.ts';
import { invite } from './features/invite/routes.ts';
import { deliverNotices } from './features/logout/deliver-notices.ts';
import { logouts } from './features/logout/routes.ts';
import { configuredMails } from './features/mails/configured-mails.ts';
import { mails } from './features/mails/routes.ts';
import { people } from './features/members/routes.ts';
import { outboundProvisioning } from './features/outbound-provisioning/routes.ts';
import { portalOidcConfiguration } from './features/portal-oidc/configuration-routes.ts';
import { externalSignIn } from './features/portal-oidc/routes.ts';
import { provisioning } from './features/provisioning/routes.ts';
import { reference } from './features/reference/routes.ts';
import { configuredRoles } from './features/roles/configured-roles.ts';
import { roles } from './features/roles/routes.ts';
import { service } from './features/service/routes.ts';
import { session } from './features/sessions/routes.ts';
import { configuredSettings } from './features/settings/configured-settings.ts';
import { settings } from './features/settings/routes.ts';
import { setup } from './features/setup/routes.ts';
import { login } from './features/sign-in/routes.ts';
import { signup } from './features/sign-up/routes.ts';
import { configuredWebhooks } from './features/webhooks/configured-webhooks.ts';
import { webhooks } from './features/webhooks/routes.ts';
import { scheduleCleanup } from './housekeeping.ts';
import { beforePreflights } from './lab/intercept-requests.ts';
import { lab } from './lab/routes.ts';
import type { StartSpace } from './lab/spaces/spaces.ts';
import { bindRequestsToWorld } from './lab/world/answer-in-one-world.ts';
import { answerError, answerErrors } from './platform/http/answers/answer-error.ts';
import { allowOrigins, enforceHttps, sendBrowserHeaders } from './platform/http/answers/browser-headers.ts';
import { logRequests } from './platform/http/answers/log-requests.ts';
import { decoratePrincipal } from './platform/http/callers/caller.ts';
import { limitRates } from './platform/http/callers/rate-limit.ts';
import { requireForwardedAddress } from './platform/http/callers/trusted-proxies.ts';
import { routeContract } from './platform/http/contract-routes.ts';
import { parseJsonBodies } from './platform/http/requests/bounded-json.ts';
import { closeConnectionsOnShutdown } from './platform/http/requests/close-connections-on-shutdown.ts';
import { dropSlowRequests } from './platform/http/requests/slow-bodies.ts';
import { serverOptions } from './platform/http/server-options.ts';
import { acceptSockets } from './platform/live/sockets.ts';
import { deliverMails } from './platform/mails/deliver-mails.ts';
import { registerUnsupportedOperations } from './protocols/absent.ts';
import { oidc, oidcTestSignIn } from './protocols/oidc/routes.ts';
import { saml } from './protocols/saml/routes.ts';
import { sendPeople } from './protocols/scim/client/send-people.ts';
import { isScim, refuseScim, scim } from './protocols/scim/routes.ts';
import { deliverWebhooks } from './protocols/webhook-delivery/deliver-webhooks.ts';

/** Builds the portal without listening. @param startSpace starts a space; absent inside a space */
export async function buildApp(deps: Deps, startSpace?: StartSpace): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    ...serverOptions(deps, (reason, request, reply) =>
      isScim(request) ? refuseScim(deps, reason, request, reply) : answerError(deps, reason, request, reply),
    ),
    rewriteUrl: ({ url = '/' }) => repairPagePath(url),
  });
  if (deps.config.lab) bindRequestsToWorld(app, deps);
  routeContract(app, deps);
  logRequests(app, deps);
  answerErrors(app, deps);
  enforceHttps(app, deps);
  requireForwardedAddress(app, deps);
  // The API accepts only JSON. Any website can send a text/plain body, which would reach handlers unparsed.
  app.removeContentTypeParser('text/plain');
  parseJsonBodies(app);
  decoratePrincipal(app);
  if (deps.config.lab) beforePreflights(app);
  await allowOrigins(app, deps.config);
  await limitRates(app, deps.config);
  await acceptSockets(app, deps);
  closeConnectionsOnShutdown(app);
  dropSlowRequests(app, deps);
  if (deps.config.lab) lab(app, deps, startSpace);

  service(app, deps);
  session(app, deps);
  login(app, deps);
  externalSignIn(app, deps);
  approvals(app, deps);
  people(app, deps);
  roles(app, deps);
  groups(app, deps);
  devices(app, deps);
  activation(app, deps);
  invite(app, deps);
  setup(app, deps);
  signup(app, deps);
  callerAuthentication(app, deps);
  authenticator(app, deps);
  settings(app, deps);
  mails(app, deps);
  faq(app, deps);
  provisioning(app, deps);
  portalOidcConfiguration(app, deps);
  applications(app, deps);
  configuration(app, deps, [
    configuredSettings,
    configuredRoles,
    configuredMails,
    configuredFaq,
    configuredApis,
    configuredApps,
    configuredWebhooks,
  ]);
  auditTrail(app, deps);
  webhooks(app, deps);
  appPreview(app, deps);
  outboundProvisioning(app, deps);
  testSignIns(app, deps);
  oidc(app, deps);
  oidcTestSignIn(app, deps);
  logouts(app, deps);
  scim(app, deps);
  // Load RADIUS and LDAP only if a port is configured for them.
  const { radiusPorts, ldapPort, ldapsPort } = deps.config;
  if (radiusPorts !== null) (await import('./protocols/radius/radius.ts')).radius(app, deps, radiusPorts);
  if (ldapPort !== null || ldapsPort !== null) (await import('./protocols/ldap/ldap.ts')).ldap(app, deps);
  registerUnsupportedOperations(app);
  const samlMessages: FastifyPluginAsync = async (scope) => saml(scope, deps);
  await app.register(samlMessages);
  scheduleCleanup(app, deps);
  deliverMails(app, deps);
  deliverWebhooks(app, deps);
  deliverNotices(app, deps);
  sendPeople(app, deps);

  const pages: FastifyPluginAsync = async (scope) => {
    const folder = projectPath('web/dist');
    await sendBrowserHeaders(scope, deps, inlineScriptsOf(folder));
    reference(scope, deps);
    client(scope, deps, folder);
  };
  await app.register(pages);
  return app;
}
