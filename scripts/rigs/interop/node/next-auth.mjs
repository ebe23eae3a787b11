import { createRequire } from 'node:module';
import express from 'express';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, serve, url } from './site.mjs';

// Load the package with `require`, because it is CommonJS.
const require = createRequire(import.meta.url);
const { default: NextAuth } = require('next-auth');
const { getToken } = require('next-auth/jwt');

const secret = 'only for this run';
process.env.NEXTAUTH_URL = `${url}/api/auth`;

const options = {
  secret,
  logger: { error: (code, about) => console.error(code, about) },
  providers: [
    {
      id: 'portal',
      name: 'Portal',
      type: 'oauth',
      wellKnown: `${ISSUER}/.well-known/openid-configuration`,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { params: { scope: 'openid profile email' } },
      checks: ['pkce', 'state', 'nonce'],
      idToken: true,
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
  ],
};

const cookiesOf = ({ headers: { cookie = '' } }) =>
  Object.fromEntries(
    cookie
      .split('; ')
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf('=')), decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
  );

const app = express();
app.use(express.urlencoded({ extended: false }));
// Stands in for the catch-all route in Next.js.
app.use('/api/auth', (request, response) => {
  const { method, headers, body, query, path } = request;
  const nextauth = path.split('/').filter(Boolean);
  return NextAuth(
    { method, headers, body, cookies: cookiesOf(request), query: { ...query, nextauth } },
    response,
    options,
  );
});
app.get('/me', async (request, response) => {
  const token = await getToken({ req: { headers: request.headers, cookies: cookiesOf(request) }, secret });
  if (token?.email) response.send(token.email);
  else response.status(401).send('Not signed in.');
});
app.get('/', (_request, response) => response.send(`The site at ${url}`));
serve(app);
