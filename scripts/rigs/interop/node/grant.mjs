import grant from 'grant';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, url } from './site.mjs';

const app = createSite();
app.use(
  grant.express({
    defaults: {
      origin: url,
      transport: 'session',
      state: true,
      nonce: true,
      pkce: true,
      response: ['tokens', 'profile'],
    },
    portal: {
      oauth: 2,
      authorize_url: `${ISSUER}/auth`,
      access_url: `${ISSUER}/token`,
      profile_url: `${ISSUER}/me`,
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      scope: ['openid', 'profile', 'email'],
      scope_delimiter: ' ',
      callback: '/done',
    },
  }),
);
app.get('/login', (_request, response) => response.redirect('/connect/portal'));
app.get('/done', ({ session }, response) => {
  const { error, profile } = session.grant.response;
  if (error) throw new Error(`The provider returned ${JSON.stringify(error)}.`);
  session.profile = profile;
  response.redirect('/me');
});
app.get('/userinfo', ({ session }, response) => response.send(session.profile));

addMe(app, ({ session }) => session.profile?.email);
serve(app);
