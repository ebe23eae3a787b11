// oidc-provider alone with its memory adapter: one client and one user, whom every request signs in.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const [on, off] = [{ enabled: true }, { enabled: false }];
const { CLIENT_ID, CLIENT_SECRET, CALLBACK } = process.env;

const provider = new Provider(url, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  claims: { openid: ['sub'], profile: ['name', 'given_name', 'family_name'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  features: {
    backchannelLogout: on,
    claimsParameter: on,
    clientCredentials: on,
    deviceFlow: on,
    devInteractions: off,
    dPoP: on,
    introspection: on,
    pushedAuthorizationRequests: on,
    resourceIndicators: on,
    revocation: on,
  },
  interactions: { url: (_ctx, { uid }) => `/finish/${uid}` },
  findAccount: (_ctx, accountId) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      name: 'Somebody',
      given_name: 'Some',
      family_name: 'Body',
      email: 'somebody@client.test',
      email_verified: true,
    }),
  }),
  async loadExistingGrant({ oidc: { session, client, account, provider: own, requestParamOIDCScopes } }) {
    const known = session.grantIdFor(client.clientId);
    if (known) return own.Grant.find(known);
    const grant = new own.Grant({ accountId: account.accountId, clientId: client.clientId });
    grant.addOIDCScope(requestParamOIDCScopes);
    await grant.save();
    return grant;
  },
  ttl: {
    AccessToken: 3_600,
    AuthorizationCode: 60,
    Grant: 86_400,
    IdToken: 3_600,
    Interaction: 3_600,
    Session: 86_400,
  },
});

const serve = provider.callback();
server.on('request', (request, response) => {
  if (request.url.startsWith('/finish/')) {
    provider.interactionFinished(request, response, { login: { accountId: 'somebody' } });
  } else serve(request, response);
});
console.log(JSON.stringify({ url }));
