import { OIDC_FLOWS, type OidcClient } from '../foreign-client.ts';
import { startProgram } from '../program.ts';
import { oidcEnvironment } from './environment.ts';
import { buildGoProgram } from './go-program.ts';

/** Requires an ID token with `at_hash`. */
const goOidc: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'go-oidc',
  title: 'go-oidc (Go)',
  from: { debian: ['golang-github-coreos-go-oidc-dev', 'golang-golang-x-oauth2-dev', 'golang-go'] },
  flows: OIDC_FLOWS,
  callback: '/callback',
  async start(workspace, settings) {
    const { folder, url, port } = workspace;
    return startProgram({
      command: await buildGoProgram('openid_connect', folder),
      args: [],
      cwd: folder,
      env: { ...oidcEnvironment(settings), URL: url, PORT: String(port) },
      ready: `${url}/me`,
    });
  },
};

export const GO_CLIENTS = [goOidc];
