import { Authenticator } from 'remix-auth';
import { OAuth2Strategy } from 'remix-auth-oauth2';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, url } from './site.mjs';

const personOf = (accessToken) =>
  fetch(`${ISSUER}/me`, { headers: { authorization: `Bearer ${accessToken}` } }).then((answer) => answer.json());

const settings = {
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  redirectURI: `${url}/callback`,
  scopes: ['openid', 'profile', 'email'],
};
const strategy = await OAuth2Strategy.discover(ISSUER, settings, async ({ tokens }) => ({
  ...(await personOf(tokens.accessToken())),
  refresh: tokens.refreshToken(),
}));
const authenticator = new Authenticator();
authenticator.use(strategy, 'portal');

/** Converts Express requests to fetch requests. The library throws redirects as responses. */
async function authenticate({ originalUrl, headers }) {
  const cookie = headers.cookie ?? '';
  return authenticator.authenticate('portal', new Request(new URL(originalUrl, url), { headers: { cookie } }));
}
const app = createSite();
app.get('/login', async (request, response) => {
  const there = await authenticate(request).catch((thrown) => thrown);
  response.append('set-cookie', there.headers.getSetCookie());
  response.redirect(there.headers.get('location'));
});
app.get('/callback', async (request, response) => {
  request.session.user = await authenticate(request);
  response.redirect('/me');
});
app.get('/userinfo', ({ session }, response) => response.send(session.user));
app.get('/refresh', async ({ session }, response) => {
  const tokens = await strategy.refreshToken(session.user.refresh);
  session.user = { ...(await personOf(tokens.accessToken())), refresh: tokens.refreshToken() };
  response.send('refreshed');
});

addMe(app, ({ session }) => session.user?.email);
serve(app);
