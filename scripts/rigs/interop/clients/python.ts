import { join } from 'node:path';
import { OIDC_FLOWS, type OidcClient, type Place, RSA_FLOWS, type SamlClient } from '../foreign-client.ts';
import { startProgram } from '../program.ts';
import { oidcEnvironment, samlEnvironment } from './environment.ts';

const PROGRAMS = join(import.meta.dirname, '../python');

/** Debian's Python: what else is called so has other packages. */
const pythonProgram = (name: string, { folder, url, port }: Place, env: Record<string, string>) =>
  startProgram({
    command: '/usr/bin/python3',
    args: ['-B', join(PROGRAMS, `${name}.py`)],
    cwd: folder,
    env: { ...env, URL: url, PORT: String(port) },
    ready: `${url}/me`,
  });

const authlib: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'authlib',
  title: 'Authlib',
  from: { debian: ['python3-authlib', 'python3-requests'] },
  flows: OIDC_FLOWS.filter((flow) => flow !== 'logout'),
  callback: '/callback',
  start: (place, settings) => pythonProgram('authlib_client', place, oidcEnvironment(settings)),
};

const requestsOauthlib: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'requests-oauthlib',
  title: 'Requests-OAuthlib',
  from: { debian: ['python3-requests-oauthlib'] },
  flows: ['sign-in', 'denied on the phone', 'access_denied', 'userinfo', 'refresh', 'wrong secret'],
  callback: '/callback',
  start: (place, settings) => pythonProgram('requests_oauthlib_client', place, oidcEnvironment(settings)),
};

/** It wants an ID token that names the access token beside it. */
const socialAuth: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'python-social-auth',
  title: 'Python Social Auth (Django)',
  from: { debian: ['python3-social-auth-core', 'python3-social-django', 'python3-jose'] },
  flows: OIDC_FLOWS.filter((flow) => flow !== 'PKCE' && flow !== 'logout'),
  callback: '/complete/oidc/',
  start: (place, settings) => pythonProgram('social_django_client', place, oidcEnvironment(settings)),
};

const pysaml2: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'pysaml2',
  title: 'PySAML2',
  from: { debian: ['python3-pysaml2', 'xmlsec1'] },
  flows: RSA_FLOWS,
  entityId: (url) => `${url}/metadata`,
  acs: '/acs',
  metadata: '/metadata',
  start: (place, settings) => pythonProgram('pysaml2_client', place, samlEnvironment(settings)),
};

const python3Saml: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'python3-saml',
  title: 'python3-saml (OneLogin)',
  from: { debian: ['python3-onelogin-saml2'] },
  flows: RSA_FLOWS.filter((flow) => flow !== 'request by POST'),
  entityId: (url) => `${url}/metadata`,
  acs: '/acs',
  metadata: '/metadata',
  start: (place, settings) => pythonProgram('python3_saml_client', place, samlEnvironment(settings)),
};

const lasso: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'lasso',
  title: 'Lasso (Python)',
  from: { debian: ['python3-lasso'] },
  flows: RSA_FLOWS,
  entityId: (url) => `${url}/metadata`,
  acs: '/acs',
  metadata: '/metadata',
  start: (place, settings) => pythonProgram('lasso_client', place, samlEnvironment(settings)),
};

export const PYTHON_CLIENTS = [authlib, requestsOauthlib, socialAuth, pysaml2, python3Saml, lasso];
