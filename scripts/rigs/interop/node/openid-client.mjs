import * as client from 'openid-client';
import { addMe, CLIENT_ID, CLIENT_SECRET, createSite, INITIAL_TOKEN, ISSUER, serve, url } from './site.mjs';

const issuer = new URL(ISSUER);
const onThisMachine = { execute: [client.allowInsecureRequests] };
const callback = `${url}/callback`;
const metadata = {
  client_name: 'openid-client',
  redirect_uris: [callback],
  post_logout_redirect_uris: [`${url}/signed-out`],
  grant_types: ['authorization_code', 'refresh_token'],
};
const register = () => {
  const options = { ...onThisMachine, initialAccessToken: INITIAL_TOKEN };
  return client.dynamicClientRegistration(issuer, metadata, undefined, options);
};
const discover = () => client.discovery(issuer, CLIENT_ID, CLIENT_SECRET, undefined, onThisMachine);

let known;
async function provider() {
  known ??= await (INITIAL_TOKEN ? register() : discover());
  return known;
}
const app = createSite();

app.get('/login', async (request, response) => {
  const config = await provider();
  const verifier = client.randomPKCECodeVerifier();
  const signIn = { verifier, state: client.randomState(), nonce: client.randomNonce() };
  request.session.signIn = signIn;
  const there = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile email offline_access',
    prompt: 'consent',
    state: signIn.state,
    nonce: signIn.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  response.redirect(there.href);
});

app.get('/callback', async (request, response) => {
  const { verifier, state, nonce } = request.session.signIn;
  const tokens = await client.authorizationCodeGrant(await provider(), new URL(request.originalUrl, url), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const { sub, email } = tokens.claims();
  Object.assign(request.session, { person: email, sub, tokens });
  response.redirect('/me');
});

app.get('/userinfo', async ({ session: { tokens, sub } }, response) => {
  response.send(await client.fetchUserInfo(await provider(), tokens.access_token, sub));
});

app.get('/refresh', async ({ session }, response) => {
  const tokens = await client.refreshTokenGrant(await provider(), session.tokens.refresh_token);
  session.tokens = { ...session.tokens, ...tokens };
  response.send('refreshed');
});

app.get('/logout', async (request, response) => {
  const back = { id_token_hint: request.session.tokens.id_token, post_logout_redirect_uri: `${url}/signed-out` };
  const there = client.buildEndSessionUrl(await provider(), back);
  request.session.destroy(() => response.redirect(there.href));
});

// RFC 7592.
app.get('/unregister', async (_request, response) => {
  const config = await provider();
  const { registration_access_token, registration_client_uri } = config.clientMetadata();
  const at = new URL(registration_client_uri);
  const read = await client.fetchProtectedResource(config, registration_access_token, at, 'GET');
  const { client_id } = await read.json();
  if (client_id !== config.clientMetadata().client_id)
    throw new Error(`The portal returned the client ID ${client_id}.`);
  const removed = await client.fetchProtectedResource(config, registration_access_token, at, 'DELETE');
  response.send(`removed, ${removed.status}`);
});

addMe(app, ({ session }) => session.person);
serve(app);
