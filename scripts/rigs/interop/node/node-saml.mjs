import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import express from 'express';
import { addMe, BINDING, CERTIFICATE, createSite, IDP, KEY, SIGNING, serve, url } from './site.mjs';

const metadata = await fetch(IDP).then((answer) => answer.text());
const [, idpCert] = /<(?:\w+:)?X509Certificate>([^<]+)/.exec(metadata);
const saml = new SAML({
  entryPoint: `${IDP}/sso`,
  logoutUrl: `${IDP}/slo`,
  logoutCallbackUrl: `${url}/slo`,
  idpCert,
  idpIssuer: IDP,
  issuer: `${url}/metadata`,
  audience: `${url}/metadata`,
  callbackUrl: `${url}/acs`,
  validateInResponseTo: ValidateInResponseTo.ifPresent,
  authnRequestBinding: BINDING === 'post' ? 'HTTP-POST' : 'HTTP-Redirect',
  ...(SIGNING === 'true' && { privateKey: KEY, publicCert: CERTIFICATE }),
  signatureAlgorithm: 'sha256',
});
const app = createSite();

app.get('/metadata', (_request, response) => {
  response.type('xml').send(saml.generateServiceProviderMetadata(null, SIGNING === 'true' ? CERTIFICATE : null));
});

app.get('/login', async (_request, response) => {
  if (BINDING === 'post') response.send(await saml.getAuthorizeFormAsync(''));
  else response.redirect(await saml.getAuthorizeUrlAsync('', undefined, {}));
});

app.post('/acs', express.urlencoded(), async ({ body, session }, response) => {
  const { profile } = await saml.validatePostResponseAsync(body);
  session.profile = profile;
  response.redirect('/me');
});

app.get('/logout', async ({ session }, response) => {
  response.redirect(await saml.getLogoutUrlAsync(session.profile, '', {}));
});

app.post('/slo', express.urlencoded(), async ({ body, session }, response) => {
  const { loggedOut } = await saml.validatePostResponseAsync(body);
  if (loggedOut) session.destroy();
  response.send('Goodbye.');
});

addMe(app, ({ session }) => session.profile?.nameID);
serve(app);
