import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AnyClient,
  OIDC_FLOWS,
  type OidcClient,
  type RegisteringClient,
  type RegistrationSettings,
  RSA_FLOWS,
  type SamlClient,
  SUITE_FLOWS,
  type SuiteClient,
  type Workspace,
} from '../foreign-client.ts';
import { runCommand, startProgram } from '../program.ts';
import { configureApache, DEBIAN_CLIENTS, startApache } from './debian.ts';
import { DEVICE_CLIENTS } from './devices.ts';
import { oidcEnvironment, samlEnvironment } from './environment.ts';
import { LDAP_CLIENTS } from './ldap.ts';
import { nodeProgram } from './node-program.ts';
import { NPM_CLIENTS } from './npm.ts';
import { buildGoProgram } from './programs.ts';
import { PYTHON_CLIENTS } from './python.ts';
import { RADIUS_CLIENTS } from './radius.ts';

const registeringInNode =
  (name: string): RegisteringClient['start'] =>
  (workspace, { issuer, initialToken }: RegistrationSettings) =>
    nodeProgram(name, workspace, { ISSUER: issuer, INITIAL_TOKEN: initialToken });

const openidClient: RegisteringClient = {
  protocol: 'Dynamic client registration',
  name: 'openid-client-registering',
  title: 'openid-client',
  from: { npm: ['openid-client'] },
  flows: ['registers and signs in', 'registers once', 'refresh', 'removes itself', 'wrong token'],
  start: registeringInNode('openid-client'),
};

const mcpSdk: RegisteringClient = {
  protocol: 'Dynamic client registration',
  name: 'mcp-sdk',
  title: 'Model Context Protocol SDK (@modelcontextprotocol/sdk)',
  from: { npm: ['@modelcontextprotocol/sdk', 'jose'] },
  flows: ['registers and signs in', 'registers once', 'refresh', 'wrong token'],
  api: '/mcp',
  start: registeringInNode('mcp-sdk'),
};

const modAuthOpenidc: RegisteringClient = {
  protocol: 'Dynamic client registration',
  name: 'mod-auth-openidc-registering',
  title: 'mod_auth_openidc',
  from: { debian: ['libapache2-mod-auth-openidc', 'apache2'] },
  flows: ['registers and signs in', 'registers once', 'refresh', 'wrong token'],
  // Opens the URL that the module's provider selection page redirects to.
  signIn: (browser, url, issuer) =>
    browser.open(`${url}/callback?${new URLSearchParams({ iss: issuer, target_link_uri: `${url}/me` })}`),
  async start(workspace, { issuer, initialToken }) {
    const metadata = join(workspace.folder, 'providers');
    await mkdir(metadata, { recursive: true });
    // Apache drops its privileges before storing its registration here.
    await chmod(metadata, 0o777);
    const selectors = {
      registration_token: initialToken,
      client_name: 'mod_auth_openidc',
      scope: 'openid profile email offline_access',
      auth_request_params: 'prompt=consent',
      pkce_method: 'S256',
    };
    const file = encodeURIComponent(issuer.replace(/^https?:\/\//, ''));
    await writeFile(join(metadata, `${file}.conf`), JSON.stringify(selectors));
    const provider = await fetch(`${issuer}/.well-known/openid-configuration`).then((answer) => answer.text());
    await writeFile(join(metadata, `${file}.provider`), provider);
    // Deletes the previous registration.
    await rm(join(metadata, `${file}.client`), { force: true });
    configureApache(['mod-auth-openidc-registering'], workspace);
    return startApache(workspace);
  },
};

const REGISTERING_CLIENTS = [modAuthOpenidc, openidClient, mcpSdk];

const PROGRAMS = join(import.meta.dirname, '../ruby');

/** Starts a program with Debian's Ruby, because another `ruby` in PATH would have different packages. */
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

const RUBY_CLIENTS = [omniauthOpenidConnect, omniauthSaml];

/** A client that requires an ID token with `at_hash`. */
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

const GO_CLIENTS = [goOidc];

const JAVA_EXAMPLE = join(import.meta.dirname, '../../../../examples/java/SignIn.java');

/** The Java example, run from its source file with only the JDK. */
const jdk: SuiteClient = {
  protocol: 'Test suite',
  name: 'jdk',
  title: 'examples/java (JDK)',
  from: { debian: ['default-jdk-headless'] },
  flows: SUITE_FLOWS,
  run: (url) => runCommand({ command: '/usr/bin/java', args: [JAVA_EXAMPLE, url], env: {} }),
};

/** All clients in `pnpm interop`, in the order of the tables. */
export const CLIENTS: readonly AnyClient[] = [
  ...DEBIAN_CLIENTS,
  ...PYTHON_CLIENTS,
  ...RUBY_CLIENTS,
  ...GO_CLIENTS,
  ...NPM_CLIENTS,
  ...DEVICE_CLIENTS,
  ...REGISTERING_CLIENTS,
  ...RADIUS_CLIENTS,
  ...LDAP_CLIENTS,
  jdk,
];
