import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const CLIENT = { clientId: 'portal', clientSecret: 'a secret that only the two of them know' };

/** An independent OpenID provider, listening on its own port. Tests can change its fields at any time. */
export interface ForeignProvider {
  /** Issuer URL without a trailing slash. */
  issuer: string;
  /** Claims for the user who signs in at the provider. */
  person: { sub: string; email?: string; email_verified?: boolean | undefined };
  /** Error returned instead of signing anyone in. */
  error: { error: string; error_description?: string } | undefined;
  /** Replacement responses by path. */
  instead: Map<string, { status: number; json: unknown }>;
  /** If set, responses wait until this promise resolves. */
  held: Promise<void> | undefined;
  /** Paths requested so far. */
  requestedPaths: string[];
  close(): Promise<void>;
}

/**
 * Starts an independent OpenID provider for tests.
 * @param callback allowed redirect URI
 * @param idTokenSaysAll true if the ID token contains the email
 */
export async function foreignProvider(callback: string, idTokenSaysAll = false): Promise<ForeignProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error("The provider isn't listening on a port.");
  const foreign: ForeignProvider = {
    issuer: `http://127.0.0.1:${portOf(address)}`,
    person: { sub: 'u-1' },
    error: undefined,
    instead: new Map(),
    held: undefined,
    requestedPaths: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const provider = makeProvider(foreign, callback, idTokenSaysAll);
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', foreign.issuer);
    foreign.requestedPaths.push(pathname);
    await foreign.held;
    const instead = foreign.instead.get(pathname);
    if (instead) {
      response.writeHead(instead.status, { 'content-type': 'application/json' }).end(JSON.stringify(instead.json));
    } else if (pathname.startsWith('/interaction/')) {
      const result = foreign.error ?? { login: { accountId: foreign.person.sub } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    } else await answer(request, response);
  });
  return foreign;
}

const portOf = ({ port }: AddressInfo): number => port;

function makeProvider(foreign: ForeignProvider, callback: string, idTokenSaysAll: boolean): Provider {
  return new Provider(foreign.issuer, {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [callback] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !idTokenSaysAll,
    cookies: { keys: ['for tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ ...foreign.person, sub: accountId }) }),
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new oidc.provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
}
