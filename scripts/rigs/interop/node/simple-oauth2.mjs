import { randomUUID } from 'node:crypto';
import { AuthorizationCode } from 'simple-oauth2';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, url } from './site.mjs';

const client = new AuthorizationCode({
  client: { id: CLIENT_ID, secret: CLIENT_SECRET },
  auth: { tokenHost: ISSUER, tokenPath: `${ISSUER}/token`, authorizePath: `${ISSUER}/auth` },
});
const callback = `${url}/callback`;
const app = createSite();

app.get('/login', (request, response) => {
  request.session.state = randomUUID();
  const { state } = request.session;
  const scope = 'openid profile email offline_access';
  response.redirect(client.authorizeURL({ redirect_uri: callback, scope, state, prompt: 'consent' }));
});

// The library only supports OAuth, so the user comes from the userinfo endpoint.
const personOf = ({ access_token }) =>
  fetch(`${ISSUER}/me`, { headers: { authorization: `Bearer ${access_token}` } }).then((answer) => answer.json());

app.get('/callback', async ({ session, query }, response) => {
  if (query.error || query.state !== session.state) throw new Error(`The provider returned ${query.error}.`);
  const { token } = await client.getToken({ code: query.code, redirect_uri: callback });
  session.token = token;
  session.person = (await personOf(token)).email;
  response.redirect('/me');
});

app.get('/userinfo', async ({ session }, response) => {
  response.send(await personOf(session.token));
});

app.get('/refresh', async ({ session }, response) => {
  const { token } = await client.createToken(session.token).refresh();
  session.token = token;
  session.person = (await personOf(token)).email;
  response.send('refreshed');
});

addMe(app, ({ session }) => session.person);
serve(app);
