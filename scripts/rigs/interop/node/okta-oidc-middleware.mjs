import okta from '@okta/oidc-middleware';
import { CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, tellPerson, url } from './site.mjs';

const app = createSite();
const oidc = new okta.ExpressOIDC({
  issuer: ISSUER,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  appBaseUrl: url,
  scope: 'openid profile email',
  routes: { loginCallback: { path: '/callback', afterCallback: '/me' } },
  // Only for a provider on this machine.
  testing: { disableHttpsCheck: true },
});
app.use(oidc.router);
app.get('/userinfo', ({ userContext }, response) => response.send(userContext.userinfo));
tellPerson(app, ({ userContext }) => userContext?.userinfo.email);
// Once it has read what the provider says about itself.
oidc.on('ready', () => serve(app));
oidc.on('error', (reason) => {
  throw reason;
});
