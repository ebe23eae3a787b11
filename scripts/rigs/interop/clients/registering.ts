import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegisteringClient, RegistrationSettings } from '../foreign-client.ts';
import { configureApache, startApache } from './debian.ts';
import { nodeProgram } from './node-program.ts';

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
  // Its page for choosing a provider does the same.
  signIn: (browser, url, issuer) =>
    browser.open(`${url}/callback?${new URLSearchParams({ iss: issuer, target_link_uri: `${url}/me` })}`),
  async start(workspace, { issuer, initialToken }) {
    const metadata = join(workspace.folder, 'providers');
    await mkdir(metadata, { recursive: true });
    // Apache drops its privileges and stores its registration here.
    await chmod(metadata, 0o777);
    const wishes = {
      registration_token: initialToken,
      client_name: 'mod_auth_openidc',
      scope: 'openid profile email offline_access',
      auth_request_params: 'prompt=consent',
      pkce_method: 'S256',
    };
    const file = encodeURIComponent(issuer.replace(/^https?:\/\//, ''));
    await writeFile(join(metadata, `${file}.conf`), JSON.stringify(wishes));
    const provider = await fetch(`${issuer}/.well-known/openid-configuration`).then((answer) => answer.text());
    await writeFile(join(metadata, `${file}.provider`), provider);
    // Deletes the previous registration.
    await rm(join(metadata, `${file}.client`), { force: true });
    configureApache(['mod-auth-openidc-registering'], workspace);
    return startApache(workspace);
  },
};

export const REGISTERING_CLIENTS = [modAuthOpenidc, openidClient, mcpSdk];
