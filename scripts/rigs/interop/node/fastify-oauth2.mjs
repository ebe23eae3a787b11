import { randomUUID } from 'node:crypto';
import oauth from '@fastify/oauth2';
import createApp from 'fastify';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, PORT, url } from './site.mjs';

const app = createApp();
await app.register(oauth, {
  name: 'portal',
  scope: ['openid', 'profile', 'email'],
  credentials: { client: { id: CLIENT_ID, secret: CLIENT_SECRET } },
  startRedirectPath: '/login',
  callbackUri: `${url}/callback`,
  discovery: { issuer: ISSUER },
  pkce: 'S256',
  cookie: { path: '/', secure: false },
});

const people = new Map();
const personOf = ({ headers }) => people.get(/site=([\w-]+)/.exec(headers.cookie)?.[1]);
app.get('/callback', async (request, reply) => {
  const { token } = await app.portal.getAccessTokenFromAuthorizationCodeFlow(request, reply);
  const id = randomUUID();
  people.set(id, { token, profile: await app.portal.userinfo(token) });
  return reply.header('set-cookie', `site=${id}; Path=/`).redirect('/me');
});
app.get('/me', async (request, reply) => personOf(request)?.profile.email ?? reply.code(401).send('Not signed in.'));
app.get('/userinfo', async (request) => personOf(request).profile);
app.get('/refresh', async (request) => {
  const person = personOf(request);
  person.token = (await app.portal.getNewAccessTokenUsingRefreshToken(person.token, {})).token;
  return 'refreshed';
});
app.get('/', async () => `The site at ${url}`);
await app.listen({ port: Number(PORT), host: 'localhost' });
