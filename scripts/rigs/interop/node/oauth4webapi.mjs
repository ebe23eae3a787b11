import * as oauth from 'oauth4webapi';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, ISSUER, serve, url } from './site.mjs';

const onThisMachine = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(ISSUER);
const provider = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, onThisMachine));
const client = { client_id: CLIENT_ID };
const proof = oauth.ClientSecretBasic(CLIENT_SECRET);
const callback = `${url}/callback`;
const app = createSite();

app.get('/login', async (request, response) => {
  const verifier = oauth.generateRandomCodeVerifier();
  const signIn = { verifier, state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce() };
  request.session.signIn = signIn;
  const there = new URL(provider.authorization_endpoint);
  there.search = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    prompt: 'consent',
    state: signIn.state,
    nonce: signIn.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  response.redirect(there.href);
});

app.get('/callback', async (request, response) => {
  const { verifier, state, nonce } = request.session.signIn;
  const back = oauth.validateAuthResponse(provider, client, new URL(request.originalUrl, url), state);
  const answer = await oauth.authorizationCodeGrantRequest(
    provider,
    client,
    proof,
    back,
    callback,
    verifier,
    onThisMachine,
  );
  const expected = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(provider, client, answer, expected);
  await oauth.validateApplicationLevelSignature(provider, answer, onThisMachine);
  const { sub, email } = oauth.getValidatedIdTokenClaims(tokens);
  Object.assign(request.session, { person: email, sub, tokens });
  response.redirect('/me');
});

app.get('/userinfo', async ({ session: { tokens, sub } }, response) => {
  const answer = await oauth.userInfoRequest(provider, client, tokens.access_token, onThisMachine);
  response.send(await oauth.processUserInfoResponse(provider, client, sub, answer));
});

app.get('/refresh', async ({ session }, response) => {
  const { refresh_token } = session.tokens;
  const answer = await oauth.refreshTokenGrantRequest(provider, client, proof, refresh_token, onThisMachine);
  session.tokens = { ...session.tokens, ...(await oauth.processRefreshTokenResponse(provider, client, answer)) };
  response.send('refreshed');
});

app.get('/logout', (request, response) => {
  const there = new URL(provider.end_session_endpoint);
  const back = { id_token_hint: request.session.tokens.id_token, post_logout_redirect_uri: `${url}/signed-out` };
  there.search = new URLSearchParams(back);
  request.session.destroy(() => response.redirect(there.href));
});

addMe(app, ({ session }) => session.person);
serve(app);
