import { serve } from '@hono/node-server';
import { getAuth, oidcAuthMiddleware, processOAuthCallback } from '@hono/oidc-auth';
import { Hono } from 'hono';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, PORT, url } from './site.mjs';

// The library is configured only through environment variables.
Object.assign(process.env, {
  OIDC_AUTH_SECRET: 'only for this run, and long enough for it',
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: CLIENT_ID,
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_REDIRECT_URI: `${url}/callback`,
  OIDC_SCOPES: 'openid profile email offline_access',
});

const app = new Hono();
app.get('/', (context) => context.text(`The site at ${url}`));
app.get('/callback', (context) => processOAuthCallback(context));
app.get('/me', async (context) => {
  const person = await getAuth(context);
  return person ? context.text(person.email) : context.text('Not signed in.', 401);
});
app.get('/login', oidcAuthMiddleware(), (context) => context.redirect('/me'));
app.onError((reason, context) => context.text(`You are not signed in. ${reason.message}`, 401));
serve({ fetch: app.fetch, port: Number(PORT), hostname: 'localhost' });
