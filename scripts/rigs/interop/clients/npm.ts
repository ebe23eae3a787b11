import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@orchestrate/server/testing-api';
import { SECRET_VARIABLE } from '@orchestrate/shared/quick-starts';
import {
  OIDC_FLOWS,
  type OidcClient,
  RSA_FLOWS,
  type SamlClient,
  SCIM_FLOWS,
  type ScimClient,
} from '../foreign-client.ts';
import { oidcEnvironment } from './environment.ts';
import { nodeProgram, oidcNodeProgram, samlNodeProgram } from './node-program.ts';
import { quickStartFor } from './programs.ts';

/** Submits the client's sign-in form with its CSRF token. */
async function signInToAuthJs(browser: Browser, url: string): Promise<Page> {
  const { csrfToken } = JSON.parse((await browser.open(`${url}/auth/csrf`)).text);
  return browser.open(`${url}/auth/signin/orchestrate`, { csrfToken, callbackUrl: `${url}/me` });
}

const authJs: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'auth-js',
  title: 'Auth.js (@auth/express)',
  from: { npm: ['@auth/express'] },
  flows: ['sign-in', 'PKCE', 'denied on the phone', 'access_denied', 'invalid ID token', 'wrong secret'],
  callback: '/auth/callback/orchestrate',
  signIn: signInToAuthJs,
  async start(workspace, settings) {
    const { files } = quickStartFor('auth-js', settings, `${workspace.url}/auth/callback/orchestrate`);
    const provider = join(workspace.folder, 'provider.mjs');
    await writeFile(provider, files.find(({ name }) => name === 'provider.mjs')?.text ?? '');
    const env = { PROVIDER: provider, [SECRET_VARIABLE]: settings.clientSecret };
    return nodeProgram('auth-js', workspace, { ...oidcEnvironment(settings), ...env });
  },
};

const expressOpenidConnect: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'express-openid-connect',
  title: 'express-openid-connect',
  from: { npm: ['express-openid-connect'] },
  flows: OIDC_FLOWS,
  callback: '/callback',
  start: oidcNodeProgram('express-openid-connect'),
};

const oktaOidcMiddleware: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'okta-oidc-middleware',
  title: '@okta/oidc-middleware',
  from: { npm: ['@okta/oidc-middleware'] },
  flows: ['sign-in', 'denied on the phone', 'access_denied', 'invalid ID token', 'userinfo', 'wrong secret'],
  callback: '/callback',
  start: oidcNodeProgram('okta-oidc-middleware'),
};

const passportOpenidconnect: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'passport-openidconnect',
  title: 'passport-openidconnect',
  from: { npm: ['passport-openidconnect'] },
  flows: ['sign-in', 'denied on the phone', 'access_denied', 'invalid ID token', 'userinfo', 'wrong secret'],
  callback: '/callback',
  start: oidcNodeProgram('passport-openidconnect'),
};

const oauth4webapi: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'oauth4webapi',
  title: 'oauth4webapi',
  from: { npm: ['oauth4webapi'] },
  flows: OIDC_FLOWS,
  callback: '/callback',
  start: oidcNodeProgram('oauth4webapi'),
};

const openidClient: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'openid-client',
  title: 'openid-client',
  from: { npm: ['openid-client'] },
  flows: OIDC_FLOWS,
  callback: '/callback',
  start: oidcNodeProgram('openid-client'),
};

const oidcClientTs: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'oidc-client-ts',
  title: 'oidc-client-ts',
  from: { npm: ['oidc-client-ts'] },
  flows: [
    ...(['sign-in', 'PKCE', 'denied on the phone', 'access_denied', 'invalid ID token'] as const),
    ...(['userinfo', 'refresh', 'revocation', 'logout'] as const),
  ],
  cannot: {
    'invalid ID token': 'it does not check the audience of an ID token that comes directly from the provider',
  },
  callback: '/callback',
  kind: 'single-page',
  start: oidcNodeProgram('oidc-client-ts'),
};

/** Does what the page's script does: passes the response in the fragment to the library. */
async function signInToMsal(browser: Browser, url: string): Promise<Page> {
  const page = await browser.open(`${url}/login`);
  const isBack = page.url.origin === url && page.url.hash !== '';
  return isBack ? browser.open(`${url}/arrived?${page.url.hash.slice(1)}`) : page;
}

const msalBrowser: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'msal-browser',
  title: '@azure/msal-browser (protocol mode OIDC)',
  from: { npm: ['@azure/msal-browser', 'jsdom'] },
  flows: ['sign-in', 'PKCE', 'denied on the phone', 'access_denied', 'refresh', 'logout'],
  callback: '/callback',
  kind: 'single-page',
  signIn: signInToMsal,
  start: oidcNodeProgram('msal-browser'),
};

/** Submits the client's sign-in form with its CSRF token. */
async function signInToNextAuth(browser: Browser, url: string): Promise<Page> {
  const { csrfToken } = JSON.parse((await browser.open(`${url}/api/auth/csrf`)).text);
  return browser.open(`${url}/api/auth/signin/portal`, { csrfToken, callbackUrl: `${url}/me` });
}

const nextAuth: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'next-auth',
  title: 'NextAuth.js 4 (next-auth)',
  from: { npm: ['next-auth', 'next'] },
  flows: ['sign-in', 'PKCE', 'denied on the phone', 'access_denied', 'invalid ID token', 'wrong secret'],
  callback: '/api/auth/callback/portal',
  signIn: signInToNextAuth,
  start: oidcNodeProgram('next-auth'),
};

const simpleOauth2: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'simple-oauth2',
  title: 'simple-oauth2',
  from: { npm: ['simple-oauth2'] },
  flows: ['sign-in', 'denied on the phone', 'access_denied', 'userinfo', 'refresh', 'wrong secret'],
  callback: '/callback',
  start: oidcNodeProgram('simple-oauth2'),
};

/** Flows for OAuth 2.0 clients, which call userinfo instead of checking an ID token. */
const OAUTH_FLOWS = OIDC_FLOWS.filter((flow) => flow !== 'invalid ID token' && flow !== 'logout');

const passportOauth2: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'passport-oauth2',
  title: 'passport-oauth2',
  from: { npm: ['passport-oauth2', 'passport'] },
  flows: OAUTH_FLOWS,
  callback: '/callback',
  start: oidcNodeProgram('passport-oauth2'),
};

const badgateway: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'badgateway',
  title: '@badgateway/oauth2-client',
  from: { npm: ['@badgateway/oauth2-client'] },
  flows: OAUTH_FLOWS,
  callback: '/callback',
  start: oidcNodeProgram('badgateway'),
};

const fastifyOauth2: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'fastify-oauth2',
  title: '@fastify/oauth2',
  from: { npm: ['@fastify/oauth2', 'fastify'] },
  flows: OAUTH_FLOWS,
  callback: '/callback',
  start: oidcNodeProgram('fastify-oauth2'),
};

const remixAuthOauth2: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'remix-auth-oauth2',
  title: 'remix-auth-oauth2',
  from: { npm: ['remix-auth-oauth2', 'remix-auth'] },
  flows: OAUTH_FLOWS,
  callback: '/callback',
  start: oidcNodeProgram('remix-auth-oauth2'),
};

const arctic: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'arctic',
  title: 'Arctic',
  from: { npm: ['arctic'] },
  flows: OAUTH_FLOWS,
  callback: '/callback',
  start: oidcNodeProgram('arctic'),
};

const grant: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'grant',
  title: 'Grant',
  from: { npm: ['grant'] },
  flows: OAUTH_FLOWS.filter((flow) => flow !== 'refresh'),
  callback: '/connect/portal/callback',
  start: oidcNodeProgram('grant'),
};

const betterAuth: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'better-auth',
  title: 'Better Auth (generic OAuth)',
  from: { npm: ['better-auth'] },
  flows: ['sign-in', 'PKCE', 'denied on the phone', 'access_denied', 'invalid ID token', 'wrong secret'],
  callback: '/api/auth/callback/portal',
  start: oidcNodeProgram('better-auth'),
};

const honoOidcAuth: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'hono-oidc-auth',
  title: '@hono/oidc-auth',
  from: { npm: ['@hono/oidc-auth', 'hono', '@hono/node-server'] },
  flows: ['sign-in', 'PKCE', 'denied on the phone', 'access_denied', 'invalid ID token', 'wrong secret'],
  callback: '/callback',
  start: oidcNodeProgram('hono-oidc-auth'),
};

const nodeSaml: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'node-saml',
  title: '@node-saml/node-saml',
  from: { npm: ['@node-saml/node-saml'] },
  flows: RSA_FLOWS,
  entityId: (url) => `${url}/metadata`,
  acs: '/acs',
  metadata: '/metadata',
  start: samlNodeProgram('node-saml'),
};

const passportSaml: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'passport-saml',
  title: '@node-saml/passport-saml',
  from: { npm: ['@node-saml/passport-saml', 'passport'] },
  flows: RSA_FLOWS,
  entityId: (url) => `${url}/metadata`,
  acs: '/acs',
  metadata: '/metadata',
  start: samlNodeProgram('passport-saml'),
};

const samlify: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'samlify',
  title: 'samlify',
  from: { npm: ['samlify'] },
  flows: RSA_FLOWS,
  entityId: (url) => `${url}/metadata`,
  acs: '/acs',
  metadata: '/metadata',
  start: samlNodeProgram('samlify'),
};

const saml2Js: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'saml2-js',
  title: 'saml2-js',
  from: { npm: ['saml2-js'] },
  flows: RSA_FLOWS.filter((flow) => flow !== 'request by POST'),
  entityId: (url) => `${url}/metadata`,
  acs: '/acs',
  metadata: '/metadata',
  start: samlNodeProgram('saml2-js'),
};

const scimmy: ScimClient = {
  protocol: 'SCIM 2.0',
  name: 'scimmy',
  title: 'SCIMMY',
  from: { npm: ['scimmy', 'scimmy-routers'] },
  flows: SCIM_FLOWS,
  service: '/scim',
  cannot: { 'provisioned by Entra': 'it rejects Entra’s `"False"` for a boolean with 400, as RFC 7644 requires' },
  start: (workspace, { endpoint, username, password, token }) =>
    nodeProgram('scimmy', workspace, {
      ENDPOINT: endpoint,
      SCIM_USER: username,
      SCIM_PASSWORD: password,
      SCIM_TOKEN: token,
    }),
};

export const NPM_CLIENTS = [
  openidClient,
  oauth4webapi,
  expressOpenidConnect,
  oktaOidcMiddleware,
  oidcClientTs,
  msalBrowser,
  authJs,
  nextAuth,
  passportOpenidconnect,
  simpleOauth2,
  passportOauth2,
  badgateway,
  fastifyOauth2,
  remixAuthOauth2,
  arctic,
  grant,
  betterAuth,
  honoOidcAuth,
  nodeSaml,
  passportSaml,
  samlify,
  saml2Js,
  scimmy,
];
