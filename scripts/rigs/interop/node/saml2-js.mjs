import express from 'express';
import saml2 from 'saml2-js';
import { addMe, CERTIFICATE, createSite, IDP, KEY, SIGNING, serve, url } from './site.mjs';

const metadata = await fetch(IDP).then((answer) => answer.text());
const certificates = [...metadata.matchAll(/<(?:\w+:)?X509Certificate>([^<]+)/g)].map(([, certificate]) => certificate);
const sp = new saml2.ServiceProvider({
  entity_id: `${url}/metadata`,
  private_key: KEY,
  certificate: CERTIFICATE,
  assert_endpoint: `${url}/acs`,
  sign_get_request: SIGNING === 'true',
  allow_unencrypted_assertion: true,
});
const idp = new saml2.IdentityProvider({
  sso_login_url: `${IDP}/sso`,
  sso_logout_url: `${IDP}/slo`,
  certificates,
});
const app = createSite();

/** Converts the library's callbacks to promises. */
const result = (call) =>
  new Promise((resolve, reject) => {
    call((reason, ...values) => (reason ? reject(reason) : resolve(values)));
  });

app.get('/metadata', (_request, response) => {
  const mine = sp.create_metadata();
  response.type('xml').send(mine.replace('AuthnRequestsSigned="false"', `AuthnRequestsSigned="${SIGNING}"`));
});

app.get('/login', async (_request, response) => {
  const [address] = await result((done) => sp.create_login_request_url(idp, {}, done));
  response.redirect(address);
});

// The library also receives logout responses at this URL.
app.post('/acs', express.urlencoded(), async ({ body, session }, response) => {
  const [{ type, user }] = await result((done) => sp.post_assert(idp, { request_body: body }, done));
  if (type === 'authn_response') session.user = user;
  else session.user = undefined;
  response.redirect('/me');
});

app.get('/acs', async ({ query, session }, response) => {
  const [{ type }] = await result((done) => sp.redirect_assert(idp, { request_body: query }, done));
  if (type === 'logout_response') session.user = undefined;
  response.send('Goodbye.');
});

app.get('/logout', async ({ session: { user } }, response) => {
  const person = { name_id: user.name_id, session_index: user.session_index, sign_get_request: true };
  const [address] = await result((done) => sp.create_logout_request_url(idp, person, done));
  response.redirect(address);
});

addMe(app, ({ session }) => session.user?.name_id);
serve(app);
