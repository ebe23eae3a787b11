import express from 'express';
import session from 'express-session';

/** The run's settings: the site's URL and the provider. */
export const {
  URL: url,
  PORT,
  ISSUER,
  CLIENT_ID,
  CLIENT_SECRET,
  INITIAL_TOKEN,
  IDP,
  SIGNING,
  BINDING,
  KEY,
  CERTIFICATE,
} = process.env;

/** Creates a site with its own session. */
export function createSite() {
  const app = express();
  app.use(session({ name: `site-${PORT}`, secret: 'only for this run', resave: false, saveUninitialized: false }));
  app.get('/signed-out', (_request, response) => response.send('Goodbye.'));
  return app;
}

/** Adds `/me`, which returns the signed-in user's email address. */
export function addMe(app, personOf) {
  app.get('/me', (request, response) => {
    const person = personOf(request);
    if (person) response.send(person);
    else response.status(401).send('Not signed in.');
  });
}

/** Serves the site. Errors are rendered as pages with status 401. */
export function serve(app) {
  app.use((reason, _request, response, _next) => {
    response.status(401).send(`You are not signed in. ${reason.message} ${reason.cause?.message ?? ''}`);
  });
  app.listen(PORT, 'localhost');
}
