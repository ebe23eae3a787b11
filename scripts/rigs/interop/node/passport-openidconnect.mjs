import passport from 'passport';
import { Strategy } from 'passport-openidconnect';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, url } from './site.mjs';

const settings = {
  issuer: ISSUER,
  authorizationURL: `${ISSUER}/auth`,
  tokenURL: `${ISSUER}/token`,
  userInfoURL: `${ISSUER}/me`,
  clientID: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  callbackURL: `${url}/callback`,
  scope: ['profile', 'email'],
  skipUserProfile: false,
};
passport.use(new Strategy(settings, (_issuer, profile, done) => done(null, profile)));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = createSite();
app.use(passport.session());
app.get('/login', passport.authenticate('openidconnect'));
app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/me', failWithError: true }));
app.get('/userinfo', ({ user }, response) => response.send(user));

addMe(app, ({ user }) => user?.emails?.[0]?.value);
serve(app);
