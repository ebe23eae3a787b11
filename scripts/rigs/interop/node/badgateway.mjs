import { randomUUID } from 'node:crypto';
import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, url } from './site.mjs';

const client = new OAuth2Client({
  server: ISSUER,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  discoveryEndpoint: `${ISSUER}/.well-known/oauth-authorization-server`,
});
const redirectUri = `${url}/callback`;
const app = createSite();

app.get('/login', async ({ session }, response) => {
  Object.assign(session, { codeVerifier: await generateCodeVerifier(), state: randomUUID() });
  const { codeVerifier, state } = session;
  const scope = ['openid', 'profile', 'email'];
  response.redirect(await client.authorizationCode.getAuthorizeUri({ redirectUri, state, codeVerifier, scope }));
});

// The library only supports OAuth, so the user comes from the userinfo endpoint.
const personOf = ({ accessToken }) =>
  fetch(`${ISSUER}/me`, { headers: { authorization: `Bearer ${accessToken}` } }).then((answer) => answer.json());

app.get('/callback', async ({ session, originalUrl }, response) => {
  const { state, codeVerifier } = session;
  const request = { redirectUri, state, codeVerifier };
  session.tokens = await client.authorizationCode.getTokenFromCodeRedirect(new URL(originalUrl, url), request);
  const { active } = await client.introspect(session.tokens);
  if (!active) throw new Error('Introspection returned an inactive token.');
  session.person = (await personOf(session.tokens)).email;
  response.redirect('/me');
});

app.get('/userinfo', async ({ session }, response) => {
  response.send(await personOf(session.tokens));
});

app.get('/refresh', async ({ session }, response) => {
  session.tokens = await client.refreshToken(session.tokens);
  session.person = (await personOf(session.tokens)).email;
  response.send('refreshed');
});

addMe(app, ({ session }) => session.person);
serve(app);
