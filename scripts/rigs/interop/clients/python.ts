import { join } from 'node:path';
import { OIDC_FLOWS, type OidcClient, RSA_FLOWS, type SamlClient, type Workspace } from '../foreign-client.ts';
import { startProgram } from '../program.ts';
import { oidcEnvironment, samlEnvironment } from './environment.ts';

const PROGRAMS = join(import.meta.dirname, '../python');

/** Starts a program with Debian's Python, because another `python3` in PATH would have different packages. */
const pythonProgram = (name: string, { folder, url, port }: Workspace, env: Record<string, string>) =>
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
  start: (workspace, settings) => pythonProgram('authlib_client', workspace, oidcEnvironment(settings)),
};

const requestsOauthlib: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'requests-oauthlib',
  title: 'Requests-OAuthlib',
  from: { debian: ['python3-requests-oauthlib'] },
  flows: ['sign-in', 'denied on the phone', 'access_denied', 'userinfo', 'refresh', 'wrong secret'],
  callback: '/callback',
  start: (workspace, settings) => pythonProgram('requests_oauthlib_client', workspace, oidcEnvironment(settings)),
};

/** A client that requires an ID token with `at_hash`. */
const socialAuth: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'python-social-auth',
  title: 'Python Social Auth (Django)',
  from: { debian: ['python3-social-auth-core', 'python3-social-django', 'python3-jose'] },
  flows: OIDC_FLOWS.filter((flow) => flow !== 'PKCE' && flow !== 'logout'),
  callback: '/complete/oidc/',
  start: (workspace, settings) => pythonProgram('social_django_client', workspace, oidcEnvironment(settings)),
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
  start: (workspace, settings) => pythonProgram('pysaml2_client', workspace, samlEnvironment(settings)),
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
  start: (workspace, settings) => pythonProgram('python3_saml_client', workspace, samlEnvironment(settings)),
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
  start: (workspace, settings) => pythonProgram('lasso_client', workspace, samlEnvironment(settings)),
};

export const PYTHON_CLIENTS = [authlib, requestsOauthlib, socialAuth, pysaml2, python3Saml, lasso];
