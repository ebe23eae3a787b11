import passport from 'passport';
import OAuth2Strategy from 'passport-oauth2';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, url } from './site.mjs';

const settings = {
  authorizationURL: `${ISSUER}/auth`,
  tokenURL: `${ISSUER}/token`,
  clientID: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  callbackURL: `${url}/callback`,
  scope: ['openid', 'profile', 'email'],
  state: true,
  pkce: true,
};
const strategy = new OAuth2Strategy(settings, (_access, refreshToken, profile, done) => {
  done(null, { ...profile, refreshToken });
});
// The library only supports OAuth, so the user comes from the userinfo endpoint. The library's built-in userinfo
// request would send the token in the URL.
strategy.userProfile = (token, done) => {
  fetch(`${ISSUER}/me`, { headers: { authorization: `Bearer ${token}` } })
    .then((answer) => answer.json())
    .then((profile) => done(null, profile), done);
};
passport.use(strategy);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = createSite();
app.use(passport.session());
app.get('/login', passport.authenticate('oauth2'));
app.get('/callback', passport.authenticate('oauth2', { successRedirect: '/me', failWithError: true }));
app.get('/userinfo', ({ user }, response) => response.send(user));
app.get('/refresh', ({ user }, response, next) => {
  const done = (reason) => (reason ? next(new Error(reason.data)) : response.send('refreshed'));
  strategy._oauth2.getOAuthAccessToken(user.refreshToken, { grant_type: 'refresh_token' }, done);
});

addMe(app, ({ user }) => user?.email);
serve(app);
