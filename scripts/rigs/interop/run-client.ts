import assert from 'node:assert/strict';
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Portal } from '@orchestrate/server/testing-api';
import {
  createApiResource,
  createApp,
  createRegistrationToken,
  createSamlApp,
  createScimToken,
  getScimCredentials,
  listApps,
  renewScimCredentials,
  updateSamlApp,
} from '@orchestrate/shared';
import { freePort } from '../container/run-image.ts';
import { deviceFlows } from './device-flows.ts';
import type { ClientResult, Outcome } from './foreign-client.ts';
import {
  type AnyClient,
  type DeviceClient,
  FLOWS,
  type NetworkClient,
  type OidcClient,
  type OidcSettings,
  type RegisteringClient,
  type RegistrationSettings,
  type ResourceServer,
  type SamlClient,
  type SamlSettings,
  type ScimClient,
  type ScimFlow,
  type SuiteClient,
  type SuiteFlow,
  type Workspace,
} from './foreign-client.ts';
import { makeKeys } from './make-keys.ts';
import { networkFlows } from './network-flows.ts';
import { oidcFlows, resourceFlows } from './oidc-flows.ts';
import { ClientUnavailable, type ProgramFolders, versionOf } from './packages.ts';
import type { Program } from './program.ts';
import { registrationFlows } from './registration-flows.ts';
import { placeholderMetadata, samlFlows } from './saml-flows.ts';

/** A running SCIM program and its portal. */
interface ScimStage {
  portal: Portal;
  client: ScimClient;
  url: string;
}

async function provisionFrom(dialect: 'okta' | 'entra', { portal, client, url }: ScimStage): Promise<void> {
  const email = `isaac.${dialect}@example.com`;
  const { steps } = await portal.provision({ dialect, url: url + client.service, token: 'a-token', email });
  assert.ok(steps.length > 0);
  assert.deepEqual(
    steps.filter(({ ok }) => !ok),
    [],
  );
}

async function requireOk(address: string): Promise<void> {
  const answer = await fetch(address);
  assert.equal(answer.status, 200, await answer.text());
}

const scimFlows: Record<ScimFlow, (stage: ScimStage) => Promise<void>> = {
  'provisioned by Okta': (stage) => provisionFrom('okta', stage),
  'provisioned by Entra': (stage) => provisionFrom('entra', stage),
  'reads members': ({ url }) => requireOk(`${url}/read`),
  'creates a group': ({ url }) => requireOk(`${url}/group`),
  'reads by bearer token': ({ url }) => requireOk(`${url}/read?token`),
};

/** A running client, ready for its flows. */
interface Stage {
  attempt(flow: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ClientRun {
  portal: Portal;
  client: AnyClient;
  provided: ProgramFolders;
}

/** Resets the portal and runs all of a client's flows in order. */
export async function runClient({ portal, client, provided }: ClientRun): Promise<ClientResult> {
  const flows = FLOWS[client.protocol].filter((flow) => client.flows.some((one) => one === flow));
  const all = (outcome: Outcome) => new Map(flows.map((flow) => [flow as string, outcome]));
  let version: string;
  try {
    version = versionOf(client, provided);
  } catch (reason) {
    if (!(reason instanceof ClientUnavailable)) throw reason;
    return { client, outcomes: all({ result: 'not run', why: reason.message }) };
  }
  await portal.reset();
  const workspace = await createWorkspace(client.name, provided);
  let stage: Stage;
  try {
    stage = await setStage(portal, client, workspace);
  } catch (reason) {
    return { client, version, outcomes: all({ result: 'failed', why: messageOf(reason) }) };
  }
  const outcomes = new Map<string, Outcome>();
  for (const flow of flows) {
    await Promise.all([portal.clearFaults(), portal.emptyJournal()]);
    const why = await stage.attempt(flow).then(() => undefined, messageOf);
    outcomes.set(flow, outcomeOf(why, client.cannot?.[flow]));
  }
  await stage.stop();
  if ([...outcomes.values()].every(({ result }) => result !== 'failed'))
    await rm(workspace.folder, { recursive: true });
  else console.error(`The output of ${client.name} is in ${workspace.folder}.`);
  return { client, version, outcomes };
}

function outcomeOf(why: string | undefined, cannot: string | undefined): Outcome {
  if (cannot === undefined) return why === undefined ? { result: 'passed' } : { result: 'failed', why };
  if (why !== undefined) return { result: 'cannot', why: cannot };
  return { result: 'failed', why: `it passed, although it is listed as impossible: ${cannot}` };
}

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

async function createWorkspace(name: string, { nodePrograms = '', unpacked }: ProgramFolders): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), `orchestrate-interop-${name}-`));
  await chmod(folder, 0o777);
  const port = await freePort();
  return { folder, port, url: `http://localhost:${port}`, nodePrograms, unpacked };
}

function setStage(portal: Portal, client: AnyClient, workspace: Workspace): Promise<Stage> {
  switch (client.protocol) {
    case 'OpenID Connect':
      return setOidcStage(portal, client, workspace);
    case 'Protected resource':
      return setResourceStage(portal, client, workspace);
    case 'Device authorization grant':
      return setDeviceStage(portal, client, workspace);
    case 'Dynamic client registration':
      return setRegistrationStage(portal, client, workspace);
    case 'SAML 2.0':
      return setSamlStage(portal, client, workspace);
    case 'SCIM 2.0':
      return setScimStage(portal, client, workspace);
    case 'RADIUS and LDAP':
      return setNetworkStage(portal, client, workspace);
    case 'Test suite':
      return setSuiteStage(portal, client);
  }
}

const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' as const;
const ORGANISATION = { orgCode: 'acme' };
const administrator = async (portal: Portal) => ({
  token: (await portal.session({ email: 'super.admin@acme.test' })).token,
});

async function setOidcStage(portal: Portal, client: OidcClient, workspace: Workspace): Promise<Stage> {
  const { url } = workspace;
  const clients = {
    kind: client.kind ?? ('web' as const),
    redirect_uris: [url + client.callback],
    post_logout_redirect_uris: [`${url}/signed-out`],
  };
  const body = { ...ORGANISATION, name: client.name, oidcConfiguration: { clients } };
  const { app } = await portal.call(createApp, { params: ORGANISATION, body }, await administrator(portal));
  const made = app.oidcConfiguration?.clients;
  if (!made) throw new Error('The application has no OIDC client.');
  const settings = { issuer: issuerOf(portal), clientId: made.client_id, clientSecret: made.client_secret };
  let program = await client.start(workspace, settings);
  async function restart(changes: Partial<typeof settings>): Promise<void> {
    await program.stop();
    program = await client.start(workspace, { ...settings, ...changes });
  }
  return {
    attempt: (flow) => oidcFlows[flow as keyof typeof oidcFlows]({ portal, client, url, restart }),
    stop: () => program.stop(),
  };
}

async function setResourceStage(portal: Portal, client: ResourceServer, workspace: Workspace): Promise<Stage> {
  const admin = await administrator(portal);
  const createMachine = async (name: string): Promise<OidcSettings> => {
    const body = { ...ORGANISATION, name, oidcConfiguration: { clients: { kind: 'machine' as const } } };
    const { app } = await portal.call(createApp, { params: ORGANISATION, body }, admin);
    const made = app.oidcConfiguration?.clients;
    if (!made) throw new Error('The application has no OIDC client.');
    return { issuer: issuerOf(portal), clientId: made.client_id, clientSecret: made.client_secret };
  };
  const caller = await createMachine(`${client.name} caller`);
  const program = await client.start(workspace, await createMachine(client.name));
  return {
    attempt: (flow) => resourceFlows[flow as keyof typeof resourceFlows]({ portal, caller, url: workspace.url }),
    stop: () => program.stop(),
  };
}

const issuerOf = (portal: Portal): string => `${portal.url}/oidc/acme`;

async function setDeviceStage(portal: Portal, client: DeviceClient, workspace: Workspace): Promise<Stage> {
  const admin = await administrator(portal);
  const clients = { kind: 'native' as const, redirect_uris: [], post_logout_redirect_uris: [] };
  const body = { ...ORGANISATION, name: client.name, oidcConfiguration: { clients } };
  const { app } = await portal.call(createApp, { params: ORGANISATION, body }, admin);
  const { secret: initialToken } = await portal.call(createRegistrationToken, { body: { name: client.title } }, admin);
  const issuer = issuerOf(portal);
  const start = () => client.start(workspace, { issuer, clientId: app.oidcConfiguration?.clients.client_id ?? '' });
  const startUnknown = () => client.start(workspace, { issuer, initialToken });
  return {
    attempt: (flow) => deviceFlows[flow as keyof typeof deviceFlows]({ portal, start, startUnknown }),
    async stop() {},
  };
}

async function setRegistrationStage(portal: Portal, client: RegisteringClient, workspace: Workspace): Promise<Stage> {
  const admin = await administrator(portal);
  const { secret } = await portal.call(createRegistrationToken, { body: { name: client.title } }, admin);
  if (client.api !== undefined) {
    const body = { identifier: workspace.url + client.api, name: client.name };
    await portal.call(createApiResource, { body }, admin);
  }
  const issuer = issuerOf(portal);
  const settings = { issuer, initialToken: secret };
  let program = await client.start(workspace, settings);
  async function restart(changes: Partial<RegistrationSettings> = {}): Promise<void> {
    await program.stop();
    program = await client.start(workspace, { ...settings, ...changes });
  }
  async function applications(): Promise<string[]> {
    const { apps } = await portal.call(listApps, { params: ORGANISATION }, admin);
    return apps.map(({ name }) => name);
  }
  const stage = { portal, client, url: workspace.url, issuer, applications, restart };
  return {
    attempt: (flow) => registrationFlows[flow as keyof typeof registrationFlows](stage),
    stop: () => program.stop(),
  };
}

async function setSamlStage(portal: Portal, client: SamlClient, workspace: Workspace): Promise<Stage> {
  const { url } = workspace;
  const admin = await administrator(portal);
  const metadata = placeholderMetadata(client, url);
  const body = {
    ...ORGANISATION,
    name: client.name,
    metadata,
    redirectUrl: `${url}/me`,
    samlNameId: 'primaryEmail',
    samlNameIdFormat: EMAIL_ADDRESS,
    samlAttributes: ['primaryEmail', 'firstName'],
    flags: { didEnabled: true, webAuthnEnabled: true, forceAuthnEnabled: false },
  };
  const { appId } = await portal.call(createSamlApp, { params: ORGANISATION, body }, admin);
  const idp = `${portal.url}/saml/acme/${appId}`;
  async function start(changes: Partial<SamlSettings>): Promise<Program> {
    const { keyType = 'rsa' } = changes;
    const keys = await makeKeys(workspace.folder, keyType);
    const settings = { idp, isSigning: false, binding: 'redirect' as const, ...changes, keyType, keys };
    const params = { ...ORGANISATION, appId };
    const updateMetadata = (metadata: string) => portal.call(updateSamlApp, { params, body: { metadata } }, admin);
    await updateMetadata(placeholderMetadata(client, url, settings.isSigning));
    const started = await client.start(workspace, settings);
    await updateMetadata(await fetch(url + client.metadata).then((answer) => answer.text()));
    return started;
  }
  let program = await start({});
  async function restart(changes: Partial<SamlSettings>): Promise<void> {
    await program.stop();
    program = await start(changes);
  }
  return {
    attempt: (flow) => samlFlows[flow as keyof typeof samlFlows]({ portal, client, url, idp, restart }),
    stop: () => program.stop(),
  };
}

async function setScimStage(portal: Portal, client: ScimClient, workspace: Workspace): Promise<Stage> {
  const admin = await administrator(portal);
  await portal.call(renewScimCredentials, { body: {} }, admin);
  const { endpoint, username, password } = await portal.call(getScimCredentials, {}, admin);
  const { secret: token } = await portal.call(createScimToken, { body: { name: client.title } }, admin);
  const program = await client.start(workspace, { endpoint, username, password, token });
  return {
    attempt: (flow) => scimFlows[flow as keyof typeof scimFlows]({ portal, client, url: workspace.url }),
    stop: () => program.stop(),
  };
}

async function setNetworkStage(portal: Portal, client: NetworkClient, workspace: Workspace): Promise<Stage> {
  const body = {
    ...ORGANISATION,
    integrationType: client.type,
    name: client.name,
    ...(client.type === 'radius' && { radiusConfiguration: { method: 'push' as const } }),
  };
  const { app } = await portal.call(createApp, { params: ORGANISATION, body }, await administrator(portal));
  const { port, secret } = app.radiusConfiguration ?? app.ldapConfiguration ?? { port: null, secret: '' };
  if (port === null) throw new Error("The portal's port for this protocol is off.");
  const { baseDn = '', bindDn = '', tlsPort } = app.ldapConfiguration ?? {};
  const ca = join(workspace.folder, 'ca.pem');
  await copyFile(portal.ca ?? '', ca);
  const settings = { workspace, port, secret, email: 'user@acme.test', baseDn, bindDn, tlsPort: tlsPort ?? 0, ca };
  return {
    attempt: (flow) => networkFlows[flow as keyof typeof networkFlows]({ portal, client, settings }),
    async stop() {},
  };
}

/** Expected result of each flow in a test suite's output. */
const SUITE_RESULTS: Readonly<Record<SuiteFlow, string>> = {
  'sign-in': 'true',
  'denied on the phone': 'rejected',
  fault: 'INVALID_PERMISSIONS',
  verified: 'true',
  tokens: 'north',
  clock: 'UNAUTHORIZED',
  misspelt: 'INVALID_REQUEST',
};

async function setSuiteStage(portal: Portal, client: SuiteClient): Promise<Stage> {
  const written = await client.run(portal.url);
  return {
    async attempt(flow) {
      const expected = `${flow}: ${SUITE_RESULTS[flow as SuiteFlow]}`;
      assert.ok(written.split('\n').includes(expected), `The output lacks “${expected}”:\n${written}`);
    },
    async stop() {},
  };
}
