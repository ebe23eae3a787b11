import { join } from 'node:path';
import { OIDC_FLOWS, type OidcClient, type Place, RSA_FLOWS, type SamlClient } from '../foreign-client.ts';
import { startProgram } from '../program.ts';
import { oidcEnvironment, samlEnvironment } from './environment.ts';

const PROGRAMS = join(import.meta.dirname, '../ruby');

/** Debian's Ruby: what else is called so has other packages. */
const rubyProgram = (name: string, { folder, url, port }: Place, env: Record<string, string>) =>
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
  cannot: { logout: 'it says neither whom nor what it signs out, so the portal asks, and knows nowhere to go on to' },
  flows: OIDC_FLOWS.filter((flow) => flow !== 'PKCE' && flow !== 'refresh'),
  callback: '/auth/portal/callback',
  start: (place, settings) => rubyProgram('openid_connect', place, oidcEnvironment(settings)),
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
  start: (place, settings) => rubyProgram('saml', place, samlEnvironment(settings)),
};

export const RUBY_CLIENTS = [omniauthOpenidConnect, omniauthSaml];
