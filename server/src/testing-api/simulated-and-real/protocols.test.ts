import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { contract } from '@orchestrate/shared';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { Portal } from '../portal.ts';
import { startPortal } from '../start-portal.ts';
import {
  ADMIN,
  asAdmin,
  asForm,
  asJson,
  ask,
  bearer,
  type Comparison,
  compareLines,
  DIRECTORY,
  pause,
  RESOURCE,
  realPhoneOf,
  SECRET,
  seen,
  setStage,
  worldWith,
} from './lines-testing.ts';

const stage = setStage();

const TOKEN = '/oidc/acme/token';
const WIKI = { client_id: 'wiki', client_secret: SECRET };
const poll = (form: Record<string, string>) => ask(stage, TOKEN, asForm(form));
const profile = (token: string) => ask(stage, '/api/profile', bearer(token));
const signIn = (primaryAttr = stage.email) =>
  ask(stage, '/api/user/login', asJson({ orgCode: 'acme', mode: 'PUSH', primaryAttr }));

/** Ignores the names of headers that don't affect clients. */
const essential = ({ headers, ...others }: Awaited<ReturnType<typeof seen>>) => ({
  ...others,
  headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== false)),
});

/** Compares an error of the token endpoint with the response to a request that causes it. */
const oauthError =
  (
    error: Extract<Parameters<Portal['fault']>[0], { match: object }>['answer'],
    cause: () => Promise<Record<string, string>>,
  ): Comparison =>
  async () => {
    const real = await poll(await cause());
    await stage.portal.fault({ match: { path: TOKEN }, answer: error });
    return { simulated: essential(await poll(WIKI)), real: essential(real) };
  };

/** Starts a sign-in on a device, and returns a poll for its tokens. */
async function startDevice() {
  const form = asForm({ client_id: 'tv', scope: 'openid' });
  const { body } = await ask(stage, '/oidc/acme/device-authorization', form);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  return {
    form: { grant_type, client_id: 'tv', device_code: String(body.device_code) },
    page: body.verification_uri_complete,
  };
}

/** Cancels a device's request on its confirmation page. */
async function deny(address: string): Promise<void> {
  const browser = stage.portal.browser();
  const { text, url } = await browser.open(address);
  const xsrf = /name="xsrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const code = new URL(address).searchParams.get('user_code') ?? '';
  await browser.open(new URL(url.pathname, url), { xsrf, user_code: code, abort: 'yes' });
}

const USER_SCOPES = 'openid profile email offline_access';
/** Signs the member in to an application with a browser, and exchanges the code for tokens. */
async function signInTo(client: string, { resource, scope = USER_SCOPES }: { resource?: string; scope?: string } = {}) {
  const { portal, email, receiver } = stage;
  const redirect_uri = receiver.url;
  const code_verifier = 'v'.repeat(43);
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const request = { client_id: client, redirect_uri, response_type: 'code', scope, prompt: 'consent', code_challenge };
  const url = `${portal.url}/oidc/acme/auth?${new URLSearchParams({ ...request, code_challenge_method: 'S256', ...(resource && { resource }) })}`;
  const page = await portal.browser({ as: email }).open(url);
  const code = page.url.searchParams.get('code') ?? `none: ${page.url} ${page.text.slice(0, 500)}`;
  return poll({
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    code_verifier,
    client_id: client,
    client_secret: SECRET,
    ...(resource && { resource }),
  });
}

/** Returns the header and the names of the claims of a JWT, or undefined for any other token. */
const described = (token: string | undefined) =>
  token?.includes('.') ? [decodeProtectedHeader(token), namesIn(decodeJwt(token))] : token && 'opaque';
const namesIn = ({ sid: _, ...fields }: Record<string, unknown>) => Object.keys(fields).sort();

/**
 * Compares issued tokens with those of a real sign-in: their claims, and what introspection and userinfo return. Only
 * tokens of a sign-in have `sid`, the session in the browser.
 */
const tokens =
  (client: string, options: Partial<Parameters<Portal['tokens']>[0]> = {}, issuedBy = client): Comparison =>
  async () => {
    const issued = await stage.portal.tokens({ client: issuedBy, as: stage.email, ...options });
    const { body } = await signInTo(client, options);
    const see = async (access: string, id?: string, refresh?: string, by = client) => {
      const form = asForm({ ...WIKI, client_id: by, token: access });
      const { status, body: found } = await ask(stage, `${TOKEN}/introspection`, form);
      const userinfo = await fetch(`${stage.portal.url}/oidc/acme/me`, bearer(access));
      const names = namesIn(Object(await userinfo.json()));
      return [described(access), described(id), typeof refresh, status, namesIn(found), userinfo.status, names];
    };
    return {
      simulated: await see(issued.accessToken, issued.idToken, issued.refreshToken, issuedBy),
      real: await see(body.access_token, body.id_token, body.refresh_token),
    };
  };

/** Compares an expired token with tokens that have really expired and that the client has revoked. */
const rejected =
  (see: (token: string) => Promise<unknown>, end: (token: string) => Promise<unknown>): Comparison =>
  async () => {
    const client = { client: 'wiki', as: stage.email };
    const { accessToken } = await stage.portal.tokens({ ...client, tamper: 'expired' });
    const simulated = await see(accessToken);
    await stage.portal.clock({ mode: 'frozen', tokens: 'lab' });
    const { accessToken: ended } = await stage.portal.tokens({ ...client, expiresIn: 5 });
    await end(ended);
    return { simulated, real: await see(ended) };
  };
const introspect = (token: string) => ask(stage, `${TOKEN}/introspection`, asForm({ ...WIKI, token }));
const userinfo = (token: string) => ask(stage, '/oidc/acme/me', bearer(token));
const revoke = (token: string) => fetch(`${stage.portal.url}${TOKEN}/revocation`, asForm({ ...WIKI, token }));
const expire = () => stage.portal.clock({ advance: '6s' });

/** Signs the member in to a SAML application. Returns the status in the response. */
async function samlStatus(application: string) {
  const { portal, email, receiver } = stage;
  const sso = `${portal.url}/saml/acme/${application}/sso`;
  const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${sso}"><saml:Issuer>https://sp.test</saml:Issuer></samlp:AuthnRequest>`;
  receiver.received.length = 0;
  // If the member can't use the application, the portal explains this first, on a page with the response.
  const { text } = await portal
    .browser({ as: email })
    .open(`${sso}?${new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64') })}`);
  const shown = /name="SAMLResponse" value="([^"]*)"/.exec(text)?.[1];
  const response = shown ?? new URLSearchParams(receiver.received[0]?.body).get('SAMLResponse') ?? '';
  return Buffer.from(response, 'base64')
    .toString()
    .match(/<[\w:]*Status(Code|Message)?[ >][^>]*>/g);
}

compareLines('protocols', {
  'any error, by its result name': async () => {
    await stage.portal.fault({ match: { path: '/api/user/login' }, answer: { resultName: 'IP_NOT_VALID' } });
    const simulated = await signIn();
    await using restricted = await startPortal({
      seed: worldWith(stage.receiver.url, { security: { allowedIps: ['203.0.113.0/24'] } }),
    });
    const body = { orgCode: 'acme', mode: 'PUSH', primaryAttr: ADMIN };
    return { simulated, real: await seen(await fetch(`${restricted.url}/api/user/login`, asJson(body))) };
  },
  'an error for one user only': async () => {
    const { portal, email } = stage;
    const { token } = await portal.session({ email });
    const { token: other } = await portal.session({ email: ADMIN });
    await portal.fault({ match: { path: '/api/profile', email }, answer: { resultName: 'INVALID_SESSION' }, times: 3 });
    const see = async () => [await profile(token), (await profile(other)).status];
    const simulated = await see();
    await portal.clearFaults();
    await pause(stage);
    return { simulated, real: await see() };
  },
  'an error on the second call': async () => {
    const { device, authenticator } = await realPhoneOf(stage);
    const { qid = '' } = await stage.portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
    await stage.portal.fault({
      match: { path: '/api/authenticator/resolve' },
      answer: { resultName: 'EXPIRED' },
      after: 1,
    });
    const see = () =>
      authenticator.resolve(device, qid).then(
        () => 'opened',
        ({ status, resultName, message }) => [status, resultName, message],
      );
    await see();
    const simulated = await see();
    await stage.portal.clock({ advance: '10m' });
    return { simulated, real: await see() };
  },
  'too many requests': async () => {
    await using limited = await startPortal({ seed: worldWith(stage.receiver.url), env: { RATE_LIMIT: '1' } });
    const login = { orgCode: 'acme', mode: 'PUSH', primaryAttr: ADMIN };
    const call = async () => seen(await fetch(`${limited.url}/api/user/login`, asJson(login)));
    let real = await call();
    for (let attempt = 0; attempt < 5 && real.status !== 429; attempt += 1) real = await call();
    const after = String(real.headers['retry-after']);
    await stage.portal.fault({
      match: { path: '/api/user/login' },
      answer: { status: 429, headers: { 'retry-after': after } },
    });
    return { simulated: essential(await signIn()), real: essential(real) };
  },
  'errors in a manual test': async () => {
    const magic = [await signIn('user-inactive@magic.test'), await signIn('code-35@magic.test')];
    await pause(stage);
    const real = await signIn();
    return { simulated: magic, real: [real, real] };
  },
  'an error of the token endpoint': oauthError({ oauthError: 'invalid_grant' }, async () => ({
    ...WIKI,
    grant_type: 'refresh_token',
    refresh_token: 'unknown',
  })),
  'an error of the token endpoint: invalid_client': oauthError({ oauthError: 'invalid_client' }, async () => {
    const params = { orgCode: 'acme', appId: 'wiki' };
    const admin = await asAdmin(stage);
    const { app } = await stage.portal.call(contract.getApp, { params }, admin);
    for (const { secretId } of app.oidcConfiguration?.clientSecrets ?? [])
      await stage.portal.call(contract.deleteClientSecret, { params: { ...params, secretId } }, admin);
    return { ...WIKI, grant_type: 'refresh_token', refresh_token: 'unknown' };
  }),
  'a device that polls too often or too long': oauthError({ oauthError: 'slow_down' }, async () => {
    const { form } = await startDevice();
    await poll(form);
    return form;
  }),
  'a device that polls too often or too long: authorization_pending': oauthError(
    { oauthError: 'authorization_pending' },
    async () => (await startDevice()).form,
  ),
  'a device that polls too often or too long: expired_token': oauthError({ oauthError: 'expired_token' }, async () => {
    const { form } = await startDevice();
    await stage.portal.clock({ advance: '10m' });
    return form;
  }),
  'a device that polls too often or too long: access_denied': oauthError({ oauthError: 'access_denied' }, async () => {
    const { form, page } = await startDevice();
    await deny(page);
    return form;
  }),
  'an ID token without one claim': async () => {
    await stage.portal.fault({ match: { path: TOKEN }, answer: { token: { without: 'email' } } });
    const simulated = await signInTo('wiki');
    const real = await signInTo('wiki');
    const claims = ({ body }: typeof real) => Object.keys(decodeJwt(body.id_token)).sort();
    const see = (from: typeof real) => [from.status, from.headers, Object.keys(from.body), claims(from)];
    const [status, headers, fields, names] = see(real);
    return {
      simulated: see(simulated),
      real: [status, headers, fields, (names as string[]).filter((name) => name !== 'email')],
    };
  },
  'an invalid SAML response': async () => {
    await stage.portal.fault({ match: { path: '/saml/acme/expenses/sso' }, answer: { assertion: 'denied' } });
    return { simulated: await samlStatus('expenses'), real: await samlStatus('audit') };
  },
  'a SCIM error': async () => {
    const authorization = `Basic ${btoa(`${DIRECTORY.username}:${DIRECTORY.password}`)}`;
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
    const { email } = stage;
    const user = { schemas, userName: email, emails: [{ value: email }], name: { givenName: 'A', familyName: 'B' } };
    const create = () =>
      ask(stage, '/scim/v2/acme/Users', asJson(user, { authorization, 'content-type': 'application/scim+json' }));
    await create();
    const real = await create();
    await stage.portal.fault({
      match: { path: '/scim/v2/acme/Users' },
      answer: { scim: { status: 409, scimType: 'uniqueness' } },
    });
    return { simulated: await create(), real };
  },

  "a user's tokens": tokens('wiki'),
  'claims of your own, for this call': tokens('tenants', { claims: { tenant: 'north' } }, 'wiki'),
  'an access token for an API, as a JWT': tokens('wiki', { resource: RESOURCE, scope: `${USER_SCOPES} orders:read` }),
  "a service client's token": async () => {
    const client = { client_id: 'export', client_secret: SECRET, resource: RESOURCE };
    const { body } = await poll({ grant_type: 'client_credentials', scope: 'orders:read', ...client });
    const { accessToken } = await stage.portal.tokens({ client: 'export', resource: RESOURCE });
    return { simulated: described(accessToken), real: described(body.access_token) };
  },
  'a token that expires soon: at userinfo': rejected(userinfo, expire),
  'a token that expires soon: at introspection': rejected(introspect, expire),
  'an invalid token: revoked, at userinfo': rejected(userinfo, revoke),
  'an invalid token: revoked, at introspection': rejected(introspect, revoke),
});
