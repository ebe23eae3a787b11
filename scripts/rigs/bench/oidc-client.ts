import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';

/** An application with a secret and one callback. */
export interface OidcClientOptions {
  /** Address of the provider, e.g. `http://127.0.0.1:3000/oidc/acme`. */
  issuer: string;
  clientId: string;
  secret: string;
  callback: string;
  /** Signs a user in on the provider's sign-in page, with the browser's cookies. Returns the URL to return to. */
  signIn?: (page: URL, cookie: string) => Promise<string>;
}

/** A client in one browser, with little work of its own, because the provider is measured. */
export interface OidcClient {
  /** Follows the redirects until there is a session. */
  begin(): Promise<void>;
  /** Gets code and tokens with the session, in two requests. */
  flow(): Promise<void>;
  close(): void;
}

export function createOidcClient({ issuer, clientId, secret, callback, signIn }: OidcClientOptions): OidcClient {
  const agent = new Agent({ keepAlive: true });
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const authorization = `${issuer}/auth?${query}`;
  const credentials = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64');
  const jar = new Map<string, string>();

  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  function keep({ headers }: IncomingMessage): void {
    for (const header of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
  }

  async function codeOf(address: string): Promise<string> {
    const { response } = await send(agent, address, { method: 'GET', headers: { cookie: cookie() } });
    keep(response);
    const end = new URL(response.headers.location ?? '', address);
    const code = end.searchParams.get('code');
    if (end.href.startsWith(callback) && code) return code;
    if (end.origin !== new URL(issuer).origin) throw new Error(`The provider sent the browser to ${end}.`);
    const isPage = end.searchParams.has('app') && signIn !== undefined;
    return codeOf(isPage ? new URL(await signIn(end, cookie()), end).href : end.href);
  }

  return {
    async begin() {
      await codeOf(authorization);
    },
    async flow() {
      const code = await codeOf(authorization);
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        code_verifier: verifier,
      }).toString();
      const headers = {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      };
      const { response, text } = await send(agent, `${issuer}/token`, { method: 'POST', headers }, body);
      if (response.statusCode !== 200) throw new Error(`The provider answered ${response.statusCode}: ${text}`);
    },
    close: () => agent.destroy(),
  };
}

interface Sent {
  method: string;
  headers: Record<string, string | number>;
}

function send(
  agent: Agent,
  address: string,
  sent: Sent,
  body?: string,
): Promise<{ response: IncomingMessage; text: string }> {
  return new Promise((done, fail) => {
    const out = request(address, { agent, ...sent });
    out.once('error', fail).once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).once('error', fail);
      response.once('end', () => done({ response, text: Buffer.concat(parts).toString() }));
    });
    out.end(body);
  });
}
