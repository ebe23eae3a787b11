import { join } from 'node:path';
import {
  DEVICE_FLOWS,
  type Device,
  type DeviceClient,
  type DeviceSettings,
  type Workspace,
} from '../foreign-client.ts';
import { startCommand } from '../program.ts';

const PROGRAMS = join(import.meta.dirname, '..');

/** A device's first output, with the names from RFC 8628 §3.2. */
interface DeviceAuthorization {
  verification_uri: string;
  verification_uri_complete?: string;
  user_code: string;
}

/** Starts a device that prints a DeviceAuthorization as JSON on its first line. */
async function startDevice(
  command: string,
  args: readonly string[],
  { folder }: Workspace,
  settings: DeviceSettings,
): Promise<Device> {
  const who: Record<string, string> =
    'clientId' in settings ? { CLIENT_ID: settings.clientId } : { INITIAL_TOKEN: settings.initialToken };
  const env = { ISSUER: settings.issuer, ...who };
  const { firstLine, written } = await startCommand({ command, args, cwd: folder, env });
  if (!firstLine.startsWith('{')) throw new Error(`${command} printed no code. ${await written}`);
  const { verification_uri, verification_uri_complete, user_code }: DeviceAuthorization = JSON.parse(firstLine);
  return { shown: { address: verification_uri, link: verification_uri_complete, code: user_code }, written };
}

const openidClientDevice: DeviceClient = {
  protocol: 'Device authorization grant',
  name: 'openid-client-device',
  title: 'openid-client',
  from: { npm: ['openid-client'] },
  flows: DEVICE_FLOWS,
  start: (workspace, settings) =>
    startDevice(process.execPath, [join(workspace.nodePrograms, 'openid-client-device.mjs')], workspace, settings),
};

const msal: DeviceClient = {
  protocol: 'Device authorization grant',
  name: 'msal',
  title: 'MSAL for Python (oauth2cli)',
  from: { debian: ['python3-msal'] },
  flows: DEVICE_FLOWS.filter((flow) => flow !== 'registers itself'),
  start: (workspace, settings) =>
    startDevice('/usr/bin/python3', ['-B', join(PROGRAMS, 'python/msal_device.py')], workspace, settings),
};

const oidcAgent: DeviceClient = {
  protocol: 'Device authorization grant',
  name: 'oidc-agent',
  title: 'oidc-agent',
  from: { debian: ['oidc-agent-cli', 'jq', 'curl'] },
  // This client shows the link only as a QR code, so skip the link flow.
  flows: DEVICE_FLOWS.filter((flow) => flow !== 'link'),
  start: (workspace, settings) =>
    startDevice('/bin/bash', [join(PROGRAMS, 'oidc-agent/device.sh')], workspace, settings),
};

export const DEVICE_CLIENTS = [oidcAgent, msal, openidClientDevice];
