import express from 'express';
import oidc from 'express-openid-connect';
import { addMe, CLIENT_ID, CLIENT_SECRET, ISSUER, serve, url } from './site.mjs';

const app = express();
app.get('/signed-out', (_request, response) => response.send('Goodbye.'));
app.use(
  oidc.auth({
    issuerBaseURL: ISSUER,
    baseURL: url,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: 'only for this run, and long enough',
    authRequired: false,
    idpLogout: true,
    authorizationParams: { response_type: 'code', scope: 'openid profile email offline_access', prompt: 'consent' },
    routes: { postLogoutRedirect: '/signed-out' },
  }),
);

app.get('/userinfo', async ({ oidc }, response) => {
  response.send(await oidc.fetchUserInfo());
});

app.get('/refresh', async ({ oidc }, response) => {
  await oidc.accessToken.refresh();
  response.send('refreshed');
});

addMe(app, ({ oidc }) => oidc.user?.email);
serve(app);
