import express from 'express';
import * as samlify from 'samlify';
import { addMe, BINDING, CERTIFICATE, createSite, IDP, KEY, SIGNING, serve, url } from './site.mjs';

// samlify refuses to run without a schema validator. This validator skips validation.
samlify.setSchemaValidator({ validate: async () => 'skipped' });
const { binding } = samlify.Constants.namespace;
const metadata = await fetch(IDP).then((answer) => answer.text());
const idp = samlify.IdentityProvider({ metadata, wantLogoutRequestSigned: true });
const sp = samlify.ServiceProvider({
  entityID: `${url}/metadata`,
  authnRequestsSigned: SIGNING === 'true',
  wantMessageSigned: true,
  wantLogoutResponseSigned: true,
  privateKey: KEY,
  signingCert: CERTIFICATE,
  assertionConsumerService: [{ Binding: binding.post, Location: `${url}/acs` }],
  singleLogoutService: [{ Binding: binding.redirect, Location: `${url}/slo` }],
});
const app = createSite();

app.get('/metadata', (_request, response) => response.type('xml').send(sp.getMetadata()));

app.get('/login', (_request, response) => {
  if (BINDING !== 'post') return response.redirect(sp.createLoginRequest(idp, 'redirect').context);
  const { entityEndpoint, type, context } = sp.createLoginRequest(idp, 'post');
  const field = `<input type="hidden" name="${type}" value="${context}">`;
  response.send(
    `<form method="post" action="${entityEndpoint}">${field}</form><script>document.forms[0].submit()</script>`,
  );
});

app.post('/acs', express.urlencoded(), async (request, response) => {
  const { extract } = await sp.parseLoginResponse(idp, 'post', request).catch((reason) => {
    throw reason instanceof Error ? reason : new Error(reason);
  });
  request.session.person = extract.nameID;
  request.session.sessionIndex = extract.sessionIndex;
  response.redirect('/me');
});

app.get('/logout', ({ session }, response) => {
  const user = { logoutNameID: session.person, sessionIndex: session.sessionIndex?.sessionIndex };
  response.redirect(sp.createLogoutRequest(idp, 'redirect', user).context);
});

app.get('/slo', async (request, response) => {
  const [, octetString] = /\?(.*)&Signature=/.exec(request.originalUrl) ?? [];
  await sp.parseLogoutResponse(idp, 'redirect', { query: request.query, octetString });
  request.session.destroy();
  response.send('Goodbye.');
});

addMe(app, ({ session }) => session.person);
serve(app);
