import * as arctic from 'arctic';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, url } from './site.mjs';

const client = new arctic.OAuth2Client(CLIENT_ID, CLIENT_SECRET, `${url}/callback`);
const scopes = ['openid', 'profile', 'email'];
const app = createSite();

app.get('/login', ({ session }, response) => {
  Object.assign(session, { state: arctic.generateState(), verifier: arctic.generateCodeVerifier() });
  const { state, verifier } = session;
  const method = arctic.CodeChallengeMethod.S256;
  response.redirect(client.createAuthorizationURLWithPKCE(`${ISSUER}/auth`, state, method, verifier, scopes).href);
});

app.get('/callback', async ({ session, query }, response) => {
  if (query.error || query.state !== session.state) throw new Error(`The provider returned ${query.error}.`);
  const tokens = await client.validateAuthorizationCode(`${ISSUER}/token`, query.code, session.verifier);
  const { email } = arctic.decodeIdToken(tokens.idToken());
  Object.assign(session, { access: tokens.accessToken(), refresh: tokens.refreshToken(), person: email });
  response.redirect('/me');
});

app.get('/userinfo', async ({ session }, response) => {
  const answer = await fetch(`${ISSUER}/me`, { headers: { authorization: `Bearer ${session.access}` } });
  response.send(await answer.json());
});

app.get('/refresh', async ({ session }, response) => {
  const tokens = await client.refreshAccessToken(`${ISSUER}/token`, session.refresh, scopes);
  session.refresh = tokens.refreshToken();
  response.send('refreshed');
});

addMe(app, ({ session }) => session.person);
serve(app);
