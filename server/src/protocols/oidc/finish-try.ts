import type { appTryRepo } from '@orchestrate/db';
import type { AppTryResult, TryCheck } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { check, checkSame } from '../../core/sign-in/app-logins/app-try-check.ts';
import type { Deps } from '../../deps.ts';
import { oidcAddresses } from '../../platform/own-addresses.ts';
import { checkIdToken, textOf } from './check-id-token.ts';
import { libraryNow, toldOf } from './portal-time.ts';
import { tryRedirect } from './try-address.ts';
import { type Answer, type TryClient, tryClient } from './try-client.ts';

/** Continues as the client that began would: from the authorization response to tokens and userinfo. */
export async function finishTry(
  app: FastifyInstance,
  deps: Deps,
  row: appTryRepo.AppTryRow,
  answer: URLSearchParams,
): Promise<AppTryResult> {
  const { issuer, discoveryUrl } = oidcAddresses(deps.publicUrl, row.orgCode);
  const client = tryClient(app, deps, row);
  const checks = [check('State', true, 'The browser came back with the one that it was sent away with.')];
  const documents: AppTryResult['documents'] = [];
  const show = (name: string, value: unknown) =>
    documents.push({ name, language: 'json', text: JSON.stringify(value, null, 2) });
  const result = { checks, documents };

  checks.push(checkAuthorization(answer), checkSame('Answer', 'Its issuer', answer.get('iss') ?? '', issuer));
  if (checks.some(({ isMet }) => !isMet)) return result;

  const { body: discovered = {} } = await client.ask(discoveryUrl);
  const addressOf = (name: string): string => textOf(discovered[name]) || `${issuer}/missing`;
  checks.push(checkSame('Discovery', 'The issuer of the discovery document', textOf(discovered.issuer), issuer));

  if (client.authentication === 'keys') {
    checks.push(check('Tokens', true, 'Only the application has its private key, so the try ends with the code.'));
    return result;
  }
  const tokens = await client.post(addressOf('token_endpoint'), {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    code_verifier: row.codeVerifier,
    redirect_uri: tryRedirect(deps, row.orgCode),
  });
  checks.push(checkTokens(HOW[client.authentication](client), tokens));
  if (!tokens.body || tokens.status !== 200) return result;
  show('Token answer', withoutSecrets(tokens.body));

  const accessToken = textOf(tokens.body.access_token);
  const keys = await client.ask(addressOf('jwks_uri'));
  const idToken = await checkIdToken(textOf(tokens.body.id_token), {
    issuer,
    clientId: row.appId,
    nonce: row.nonce,
    accessToken,
    keys: keys.body,
    now: toldOf(deps.clock, libraryNow()),
  });
  checks.push(...idToken.checks);
  if (idToken.decoded) show('ID token', idToken.decoded);

  const headers = { authorization: `Bearer ${accessToken}` };
  const userinfo = await client.ask(addressOf('userinfo_endpoint'), { headers });
  checks.push(checkUserinfo(userinfo, idToken.decoded?.claims.sub));
  if (userinfo.body) show('Userinfo', userinfo.body);

  // It is no longer needed.
  await client.post(addressOf('revocation_endpoint'), { token: accessToken });
  return result;
}

function checkAuthorization(answer: URLSearchParams): TryCheck {
  if (answer.has('code')) return check('Authorization', true, 'The provider answered with a code.');
  return check('Authorization', false, `The provider refused: ${reasonOf(Object.fromEntries(answer))}.`);
}

const HOW: Record<Exclude<TryClient['authentication'], 'keys'>, (client: TryClient) => string> = {
  secret: ({ secretName }: TryClient) => `with the client secret “${secretName}”`,
  none: () => 'as a public client, with PKCE alone',
  expired: () => 'without a client secret, as all of them have expired',
};

function checkTokens(how: string, { status, body }: Answer): TryCheck {
  if (status === 200) return check('Tokens', true, `The token endpoint took the code ${how}.`);
  return check('Tokens', false, `The token endpoint refused the code ${how}: ${reasonOf(body)}.`);
}

function checkUserinfo({ status, body }: Answer, sub: unknown): TryCheck {
  if (status !== 200) return check('Userinfo', false, `The userinfo endpoint refused: ${reasonOf(body)}.`);
  return checkSame('Userinfo', 'Its subject', textOf(body?.sub), textOf(sub));
}

/** A protocol error in its own words (RFC 6749 §4.1.2.1, §5.2). */
function reasonOf(body: Readonly<Record<string, unknown>> = {}): string {
  const [error, description] = [textOf(body.error), textOf(body.error_description)];
  return [error || 'it did not say why', description].filter(Boolean).join(', ');
}

/** Tokens are secrets: only their presence is shown. */
function withoutSecrets(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]) => [name, /_token$/.test(name) ? '(left out)' : value]);
  return Object.fromEntries(entries);
}
