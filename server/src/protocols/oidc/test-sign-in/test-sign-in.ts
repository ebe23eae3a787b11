import { oidcApplicationRepo, testSignInRepo } from '@orchestrate/db';
import { type AppTryResult, authMethodOf, type TryCheck } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { z } from 'zod';
import { checkResult, checkSame, claimTestSignIn, resultPath } from '#core/sign-in/app-logins/start-test-sign-in.ts';
import { browserOf } from '#core/sign-in/browser-id.ts';
import type { Deps } from '#deps.ts';
import { sendPage, sendRedirect } from '#platform/http/answers/send-json.ts';
import { callOwnApi } from '#platform/http/own-call.ts';
import { readBoundedJson } from '#platform/http/requests/bounded-json.ts';
import { oidcAddresses } from '#platform/own-addresses.ts';
import { errorPage, PAGE_POLICY } from '../http/pages.ts';
import { libraryTimeNow, toExternalTime } from '../provider/portal-time.ts';
import { checkIdToken, textOf } from './check-id-token.ts';
import { testRedirectUri } from './test-sign-in-url.ts';

/** Finishes a test sign-in with the portal acting as the client (decision 177). */
export async function answerTestSignIn(
  app: FastifyInstance,
  deps: Deps,
  { params: { orgCode }, raw, headers }: FastifyRequest<{ Params: { orgCode: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = new URL(raw.url ?? '', deps.publicUrl).searchParams;
  const id = answer.get('state') ?? '';
  const row = claimTestSignIn(deps, orgCode, { id, browser: browserOf(deps, headers.cookie) });
  if (row?.protocol !== 'oidc') {
    const reason = { error: 'expired', error_description: 'this test has ended or was started in another browser' };
    return sendPage(deps, reply.code(400), { page: errorPage(reason), policy: PAGE_POLICY });
  }
  testSignInRepo.setTestSignInResult(deps.db, orgCode, row.id, await finishTestSignIn(app, deps, row, answer));
  return sendRedirect(deps, reply, resultPath(row));
}

/** A provider response. `status` is 0 if there was no response; `body` is undefined unless it is a JSON object. */
interface Answer {
  status: number;
  body: Record<string, unknown> | undefined;
}

/** Acts as the application's client, but only with this provider. */
interface TestClient {
  get(url: string, request?: Pick<InjectOptions, 'method' | 'headers'>): Promise<Answer>;
  /** Posts a form as the application, either with its newest valid secret or as a public client. */
  post(url: string, form: Readonly<Record<string, string>>): Promise<Answer>;
  /** The client's authentication method, or `expired` if all its secrets have expired. */
  authentication: 'secret' | 'keys' | 'none' | 'expired';
  /** Name that administrators gave the secret, or '' if they gave none. */
  secretName: string;
}

const json = z.record(z.string(), z.unknown());

/**
 * Returns a client whose requests use the server's own routes instead of the network, because the portal may not be
 * able to reach itself under its public name.
 */
function testClient(
  app: FastifyInstance,
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { orgCode, appId }: { orgCode: string; appId: string },
): TestClient {
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  const method = application ? authMethodOf(application) : 'client_secret_basic';
  const secrets = oidcApplicationRepo.listSecretsByClient(db, orgCode, appId);
  const secret = secrets.find(({ expiresAt }) => expiresAt === null || expiresAt > clock.now());
  const basic =
    secret && `Basic ${Buffer.from([appId, secret.secret].map(encodeURIComponent).join(':')).toString('base64')}`;

  async function send(url: string, options: InjectOptions): Promise<Answer> {
    const { pathname, search } = new URL(url);
    const answer = await callOwnApi(app, { ...options, url: pathname + search });
    const parsed = json.safeParse(answer && readBoundedJson(answer.body));
    return { status: answer?.statusCode ?? 0, body: parsed.data };
  }

  return {
    get: (url, request = {}) => send(url, { method: 'GET', ...request }),
    post: (url, form) =>
      send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...(basic && { authorization: basic }) },
        payload: String(new URLSearchParams(basic ? form : { ...form, client_id: appId })),
      }),
    authentication: authenticationOf(method, secret !== undefined),
    secretName: secret?.name ?? '',
  };
}

function authenticationOf(method: ReturnType<typeof authMethodOf>, hasSecret: boolean): TestClient['authentication'] {
  if (method === 'private_key_jwt') return 'keys';
  if (method === 'none') return 'none';
  return hasSecret ? 'secret' : 'expired';
}

/** Completes the client's steps, from the authorization response to tokens and userinfo. */
async function finishTestSignIn(
  app: FastifyInstance,
  deps: Deps,
  row: testSignInRepo.TestSignInRow,
  answer: URLSearchParams,
): Promise<AppTryResult> {
  const { issuer, discoveryUrl } = oidcAddresses(deps.publicUrl, row.orgCode);
  const client = testClient(app, deps, row);
  const checks = [checkResult('State', true, 'The state matches the one in the request.')];
  const documents: AppTryResult['documents'] = [];
  const show = (name: string, value: unknown) =>
    documents.push({ name, language: 'json', text: JSON.stringify(value, null, 2) });
  const result = { checks, documents };

  checks.push(checkAuthorization(answer), checkSame('Answer', 'The issuer', answer.get('iss') ?? '', issuer));
  if (checks.some(({ isMet }) => !isMet)) return result;

  const { body: discovered = {} } = await client.get(discoveryUrl);
  const urlOf = (name: string): string => textOf(discovered[name]) || `${issuer}/missing`;
  checks.push(checkSame('Discovery', 'The issuer of the discovery document', textOf(discovered.issuer), issuer));

  if (client.authentication === 'keys') {
    checks.push(
      checkResult('Tokens', true, 'Only the application has its private key, so the test ends with the code.'),
    );
    return result;
  }
  const tokens = await client.post(urlOf('token_endpoint'), {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    code_verifier: row.codeVerifier,
    redirect_uri: testRedirectUri(deps, row.orgCode),
  });
  checks.push(checkTokens(METHOD[client.authentication](client), tokens));
  if (!tokens.body || tokens.status !== 200) return result;
  show('Token response', withoutSecrets(tokens.body));

  const accessToken = textOf(tokens.body.access_token);
  const keys = await client.get(urlOf('jwks_uri'));
  const idToken = await checkIdToken(textOf(tokens.body.id_token), {
    issuer,
    clientId: row.appId,
    nonce: row.nonce,
    accessToken,
    keys: keys.body,
    now: toExternalTime(deps.clock, libraryTimeNow()),
  });
  checks.push(...idToken.checks);
  if (idToken.decoded) show('ID token', idToken.decoded);

  const headers = { authorization: `Bearer ${accessToken}` };
  const userinfo = await client.get(urlOf('userinfo_endpoint'), { headers });
  checks.push(checkUserinfo(userinfo, idToken.decoded?.claims.sub));
  if (userinfo.body) show('Userinfo', userinfo.body);

  // The test no longer needs the token, so revoke it.
  await client.post(urlOf('revocation_endpoint'), { token: accessToken });
  return result;
}

function checkAuthorization(answer: URLSearchParams): TryCheck {
  if (answer.has('code')) return checkResult('Authorization', true, 'The provider returned a code.');
  return checkResult(
    'Authorization',
    false,
    `The provider returned an error: ${reasonOf(Object.fromEntries(answer))}.`,
  );
}

const METHOD: Record<Exclude<TestClient['authentication'], 'keys'>, (client: TestClient) => string> = {
  secret: ({ secretName }: TestClient) => `with the client secret “${secretName}”`,
  none: () => 'as a public client, with PKCE alone',
  expired: () => 'without a client secret, as all of them have expired',
};

function checkTokens(method: string, { status, body }: Answer): TryCheck {
  if (status === 200) return checkResult('Tokens', true, `The token endpoint accepted the code ${method}.`);
  return checkResult('Tokens', false, `The token endpoint rejected the code ${method}: ${reasonOf(body)}.`);
}

function checkUserinfo({ status, body }: Answer, sub: unknown): TryCheck {
  if (status !== 200)
    return checkResult('Userinfo', false, `The userinfo endpoint returned an error: ${reasonOf(body)}.`);
  return checkSame('Userinfo', 'The subject', textOf(body?.sub), textOf(sub));
}

/** Returns the error code and description in a response (RFC 6749 §4.1.2.1, §5.2). */
function reasonOf(body: Readonly<Record<string, unknown>> = {}): string {
  const [error, description] = [textOf(body.error), textOf(body.error_description)];
  return [error || 'no reason given', description].filter(Boolean).join(', ');
}

/** Replaces tokens with a placeholder, because they are secrets. Only their presence is shown. */
function withoutSecrets(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]) => [name, /_token$/.test(name) ? '(left out)' : value]);
  return Object.fromEntries(entries);
}
