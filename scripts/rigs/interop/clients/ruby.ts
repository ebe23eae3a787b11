import { join } from 'node:path';
import { OIDC_FLOWS, type OidcClient, RSA_FLOWS, type SamlClient, type Workspace } from '../foreign-client.ts';
import { startProgram } from '../program.ts';
import { oidcEnvironment, samlEnvironment } from './environment.ts';

const PROGRAMS = join(import.meta.dirname, '../ruby');

/** Starts a program with Debian's Ruby, because another `ruby` in PATH has other packages. */
const rubyProgram = (name: string, { folder, url, port }: Workspace, env: Record<string, string>) =>
  startProgram({
    command: '/usr/bin/ruby',
    args: [join(PROGRAMS, `${name}.rb`)],
    cwd: folder,
    env: { ...env, URL: url, PORT: String(port) },
    ready: `${url}/me`,
  });

const omniauthOpenidConnect: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'omniauth-openid-connect',
  title: 'gitlab-omniauth-openid-connect (Ruby)',
  from: { debian: ['ruby-omniauth-openid-connect', 'ruby-webrick'] },
  cannot: {
    logout:
      'it sends neither an ID token nor its client id, so the portal asks for confirmation and cannot redirect back',
  },
  flows: OIDC_FLOWS.filter((flow) => flow !== 'PKCE' && flow !== 'refresh'),
  callback: '/auth/portal/callback',
  start: (workspace, settings) => rubyProgram('openid_connect', workspace, oidcEnvironment(settings)),
};

const omniauthSaml: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'omniauth-saml',
  title: 'omniauth-saml (ruby-saml)',
  from: { debian: ['ruby-omniauth-saml', 'ruby-webrick'] },
  flows: RSA_FLOWS.filter((flow) => flow !== 'request by POST'),
  entityId: (url) => `${url}/auth/portal/metadata`,
  acs: '/auth/portal/callback',
  metadata: '/auth/portal/metadata',
  start: (workspace, settings) => rubyProgram('saml', workspace, samlEnvironment(settings)),
};

export const RUBY_CLIENTS = [omniauthOpenidConnect, omniauthSaml];
