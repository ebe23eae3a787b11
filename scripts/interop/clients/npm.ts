import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@orchestrate/server/double';
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
import { nodeProgram, oidcInNode, samlInNode } from './node-program.ts';
import { quickStartFor } from './quick-start-for.ts';

/** The form of its sign-in page, which it only takes with the token that it has handed out. */
async function signInToAuthJs(browser: Browser, url: string): Promise<Page> {
  const { csrfToken } = JSON.parse((await browser.open(`${url}/auth/csrf`)).text);
  return browser.open(`${url}/auth/signin/orchestrate`, { csrfToken, callbackUrl: `${url}/me` });
}

const authJs: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'auth-js',
  title: 'Auth.js (@auth/express)',
  from: { npm: ['@auth/express'] },
  flows: ['sign-in', 'PKCE', 'denied on the phone', 'access_denied', 'damaged ID token', 'wrong secret'],
  callback: '/auth/callback/orchestrate',
  signIn: signInToAuthJs,
  async start(place, settings) {
    const { files } = quickStartFor('auth-js', settings, `${place.url}/auth/callback/orchestrate`);
    const provider = join(place.folder, 'provider.mjs');
    await writeFile(provider, files.find(({ name }) => name === 'provider.mjs')?.text ?? '');
    const env = { PROVIDER: provider, [SECRET_VARIABLE]: settings.clientSecret };
    return nodeProgram('auth-js', place, { ...oidcEnvironment(settings), ...env });
  },
};

const expressOpenidConnect: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'express-openid-connect',
  title: 'express-openid-connect',
  from: { npm: ['express-openid-connect'] },
  flows: OIDC_FLOWS,
  callback: '/callback',
  start: oidcInNode('express-openid-connect'),
};

const passportOpenidconnect: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'passport-openidconnect',
  title: 'passport-openidconnect',
  from: { npm: ['passport-openidconnect'] },
  flows: ['sign-in', 'denied on the phone', 'access_denied', 'damaged ID token', 'userinfo', 'wrong secret'],
  callback: '/callback',
  start: oidcInNode('passport-openidconnect'),
};

const oauth4webapi: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'oauth4webapi',
  title: 'oauth4webapi',
  from: { npm: ['oauth4webapi'] },
  flows: OIDC_FLOWS,
  callback: '/callback',
  start: oidcInNode('oauth4webapi'),
};

const openidClient: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'openid-client',
  title: 'openid-client',
  from: { npm: ['openid-client'] },
  flows: OIDC_FLOWS,
  callback: '/callback',
  start: oidcInNode('openid-client'),
};

const simpleOauth2: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'simple-oauth2',
  title: 'simple-oauth2',
  from: { npm: ['simple-oauth2'] },
  flows: ['sign-in', 'denied on the phone', 'access_denied', 'userinfo', 'refresh', 'wrong secret'],
  callback: '/callback',
  start: oidcInNode('simple-oauth2'),
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
  start: samlInNode('node-saml'),
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
  start: samlInNode('samlify'),
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
  start: samlInNode('saml2-js'),
};

const scimmy: ScimClient = {
  protocol: 'SCIM 2.0',
  name: 'scimmy',
  title: 'SCIMMY',
  from: { npm: ['scimmy', 'scimmy-routers'] },
  flows: SCIM_FLOWS,
  service: '/scim',
  cannot: { 'told by Entra': 'it refuses Entra’s `"False"` for a boolean with 400, as RFC 7644 has it' },
  start: (place, { endpoint, username, password, token }) =>
    nodeProgram('scimmy', place, {
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
  authJs,
  passportOpenidconnect,
  simpleOauth2,
  nodeSaml,
  samlify,
  saml2Js,
  scimmy,
];
