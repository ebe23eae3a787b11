import okta from '@okta/oidc-middleware';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, url } from './site.mjs';

const app = createSite();
const oidc = new okta.ExpressOIDC({
  issuer: ISSUER,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  appBaseUrl: url,
  scope: 'openid profile email',
  routes: { loginCallback: { path: '/callback', afterCallback: '/me' } },
  // Allows a local provider without TLS.
  testing: { disableHttpsCheck: true },
});
app.use(oidc.router);
app.get('/userinfo', ({ userContext }, response) => response.send(userContext.userinfo));
addMe(app, ({ userContext }) => userContext?.userinfo.email);
// Serve the site after discovery, when the library emits `ready`.
oidc.on('ready', () => serve(app));
oidc.on('error', (reason) => {
  throw reason;
});
