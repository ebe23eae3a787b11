import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';
import { serve, url } from './site.mjs';

// The portal's quick start for this application exports the provider.
const { orchestrate } = await import(process.env.PROVIDER);

const config = {
  secret: 'only for this run',
  trustHost: true,
  providers: [orchestrate],
  logger: { error: (reason) => console.error(reason.message, reason.cause) },
};

const app = express();
// Auth.js expects the rest of the path in the first unnamed parameter, as in Express 4.
app.use(/^\/auth\/(.*)/, ExpressAuth(config));
app.get('/me', async (request, response) => {
  const session = await getSession(request, config);
  if (session?.user?.email) response.send(session.user.email);
  else response.status(401).send('Not signed in.');
});
app.get('/', (_request, response) => response.send(`The site at ${url}`));
serve(app);
