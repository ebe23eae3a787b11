import { Strategy } from '@node-saml/passport-saml';
import express from 'express';
import passport from 'passport';
import { addMe, BINDING, CERTIFICATE, createSite, IDP, KEY, SIGNING, serve, url } from './site.mjs';

const metadata = await fetch(IDP).then((answer) => answer.text());
const [, idpCert] = /<(?:\w+:)?X509Certificate>([^<]+)/.exec(metadata);
const settings = {
  entryPoint: `${IDP}/sso`,
  logoutUrl: `${IDP}/slo`,
  logoutCallbackUrl: `${url}/slo`,
  idpCert,
  idpIssuer: IDP,
  issuer: `${url}/metadata`,
  audience: `${url}/metadata`,
  callbackUrl: `${url}/acs`,
  validateInResponseTo: 'ifPresent',
  authnRequestBinding: BINDING === 'post' ? 'HTTP-POST' : 'HTTP-Redirect',
  ...(SIGNING === 'true' && { privateKey: KEY, publicCert: CERTIFICATE }),
  signatureAlgorithm: 'sha256',
};
const known = (profile, done) => done(null, profile);
const strategy = new Strategy(settings, known, known);
passport.use(strategy);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = createSite();
app.use(passport.session(), express.urlencoded());
app.get('/metadata', (_request, response) => {
  response.type('xml').send(strategy.generateServiceProviderMetadata(null, SIGNING === 'true' ? CERTIFICATE : null));
});
app.get('/login', passport.authenticate('saml'));
app.post('/acs', passport.authenticate('saml', { successRedirect: '/me', failWithError: true }));
app.get('/logout', (request, response, next) => {
  strategy.logout(request, (reason, there) => (reason ? next(reason) : response.redirect(there)));
});
app.post('/slo', passport.authenticate('saml', { failWithError: true }), (request, response) => {
  request.logout(() => response.send('Goodbye.'));
});

addMe(app, ({ user }) => user?.nameID);
serve(app);
