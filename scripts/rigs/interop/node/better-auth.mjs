import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node';
import { genericOAuth } from 'better-auth/plugins';
import express from 'express';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, serve, url } from './site.mjs';

const provider = {
  providerId: 'portal',
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  discoveryUrl: `${ISSUER}/.well-known/openid-configuration`,
  scopes: ['openid', 'profile', 'email'],
  pkce: true,
};
const auth = betterAuth({
  baseURL: url,
  secret: 'only for this run, and long enough for it',
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [genericOAuth({ config: [provider] })],
});

const app = express();
app.get('/login', async (_request, response) => {
  const body = { provider: 'portal', callbackURL: `${url}/me`, errorCallbackURL: `${url}/failed` };
  const { headers, response: there } = await auth.api.signInSocial({ body, returnHeaders: true });
  response.append('set-cookie', headers.getSetCookie());
  response.redirect(there.url);
});
app.all(/^\/api\/auth\//, toNodeHandler(auth));
app.get('/failed', ({ query }, response) => response.status(401).send(`Error: ${query.error}`));
app.get('/me', async ({ headers }, response) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(headers) });
  if (session) response.send(session.user.email);
  else response.status(401).send('Not signed in.');
});
app.get('/', (_request, response) => response.send(`The site at ${url}`));
serve(app);
