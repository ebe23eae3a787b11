import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { addMe, createSite, INITIAL_TOKEN, ISSUER, serve, url } from './site.mjs';

const CALLBACK = `${url}/callback`;
const RESOURCE = new URL(`${url}/mcp`);
const app = createSite();

// The MCP server accepts access tokens that the portal issued for it, and returns their subject.
const oauthMetadata = await fetch(`${ISSUER}/.well-known/openid-configuration`).then((answer) => answer.json());
const keys = createRemoteJWKSet(new URL(oauthMetadata.jwks_uri));
const verifier = {
  async verifyAccessToken(token) {
    const expected = { issuer: ISSUER, audience: RESOURCE.href, typ: 'at+jwt' };
    const { payload } = await jwtVerify(token, keys, expected).catch(({ message }) => {
      throw new InvalidTokenError(message);
    });
    const { client_id, scope = '', exp, sub } = payload;
    return { token, clientId: client_id, scopes: scope.split(' '), expiresAt: exp, extra: { sub } };
  },
};
app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: RESOURCE }));
const letIn = requireBearerAuth({ verifier, resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(RESOURCE) });
app.all('/mcp', letIn, express.json(), async (request, response) => {
  const server = new McpServer({ name: 'who-am-i', version: '1.0.0' });
  server.registerTool('whoami', { description: 'Returns the signed-in user' }, ({ authInfo }) => ({
    content: [{ type: 'text', text: authInfo.extra.sub }],
  }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});

// The MCP client's registration, undefined until the client registers itself.
let registered;
const signIns = new Map();

/** One browser's client storage, with the interface that the SDK expects. */
class Memory {
  redirectUrl = CALLBACK;
  clientMetadata = {
    client_name: 'MCP client',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'openid email offline_access',
  };
  clientInformation = () => registered;
  saveClientInformation(information) {
    registered = information;
  }
  tokens = () => this.kept;
  saveTokens(tokens) {
    this.kept = tokens;
  }
  redirectToAuthorization(address) {
    this.address = address;
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier = () => this.verifier;
}

/** Adds the initial access token to registration requests. The SDK has no setting for it. */
function fetchWithToken(address, init = {}) {
  if (String(address) !== oauthMetadata.registration_endpoint) return fetch(address, init);
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${INITIAL_TOKEN}`);
  return fetch(address, { ...init, headers });
}
const transportOf = (authProvider) =>
  new StreamableHTTPClientTransport(RESOURCE, { authProvider, fetch: fetchWithToken });

/** Calls the tool. @throws UnauthorizedError if the user has to sign in first */
async function askWhoAmI(memory) {
  const client = new Client({ name: 'interop', version: '1.0.0' });
  await client.connect(transportOf(memory));
  const { content } = await client.callTool({ name: 'whoami' });
  await client.close();
  const { sub, email } = decodeJwt(memory.tokens().id_token);
  if (content[0].text !== sub) throw new Error(`The server returned ${content[0].text} instead of ${sub}.`);
  return email;
}

app.get('/login', async ({ session, sessionID }, response) => {
  const memory = new Memory();
  signIns.set(sessionID, memory);
  session.hasBegun = true;
  try {
    session.person = await askWhoAmI(memory);
    response.redirect('/me');
  } catch (reason) {
    if (!(reason instanceof UnauthorizedError)) throw reason;
    response.redirect(memory.address.href);
  }
});

app.get('/callback', async ({ session, sessionID, query }, response) => {
  const memory = signIns.get(sessionID);
  await transportOf(memory).finishAuth(query.code);
  session.person = await askWhoAmI(memory);
  response.redirect('/me');
});

app.get('/refresh', async ({ session, sessionID }, response) => {
  const memory = signIns.get(sessionID);
  const before = memory.tokens();
  // The server rejects this token, which makes the client refresh it.
  memory.saveTokens({ ...before, access_token: 'too old' });
  session.person = await askWhoAmI(memory);
  response.send('refreshed');
});

addMe(app, ({ session }) => session.person);
serve(app);
