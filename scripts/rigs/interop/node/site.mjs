import express from 'express';
import session from 'express-session';

/** What the run says: where the site is, and who the provider is. */
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

/** A site that knows people by a session of its own. */
export function createSite() {
  const app = express();
  app.use(session({ name: `site-${PORT}`, secret: 'only for this run', resave: false, saveUninitialized: false }));
  app.get('/signed-out', (_request, response) => response.send('Goodbye.'));
  return app;
}

/** Answers who is signed in, with an e-mail address. */
export function tellPerson(app, personOf) {
  app.get('/me', (request, response) => {
    const person = personOf(request);
    if (person) response.send(person);
    else response.status(401).send('Nobody is signed in.');
  });
}

/** Serves the site; what is thrown on the way is a page that says so. */
export function serve(app) {
  app.use((reason, _request, response, _next) => {
    response.status(401).send(`You are not signed in. ${reason.message} ${reason.cause?.message ?? ''}`);
  });
  app.listen(PORT, 'localhost');
}
