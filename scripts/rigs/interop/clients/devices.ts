import { join } from 'node:path';
import { DEVICE_FLOWS, type Device, type DeviceClient, type DeviceSettings, type Place } from '../foreign-client.ts';
import { startCommand } from '../program.ts';

const PROGRAMS = join(import.meta.dirname, '..');

/** What a device writes first, in the words of RFC 8628 §3.2. */
interface Shown {
  verification_uri: string;
  verification_uri_complete?: string;
  user_code: string;
}

/** Starts a device whose first line is JSON with what it shows. */
async function startDevice(
  command: string,
  args: readonly string[],
  { folder }: Place,
  settings: DeviceSettings,
): Promise<Device> {
  const who: Record<string, string> =
    'clientId' in settings ? { CLIENT_ID: settings.clientId } : { INITIAL_TOKEN: settings.initialToken };
  const env = { ISSUER: settings.issuer, ...who };
  const { firstLine, written } = await startCommand({ command, args, cwd: folder, env });
  if (!firstLine.startsWith('{')) throw new Error(`${command} shows no code. ${await written}`);
  const { verification_uri, verification_uri_complete, user_code }: Shown = JSON.parse(firstLine);
  return { shown: { address: verification_uri, link: verification_uri_complete, code: user_code }, written };
}

const openidClientDevice: DeviceClient = {
  protocol: 'Device authorization grant',
  name: 'openid-client-device',
  title: 'openid-client',
  from: { npm: ['openid-client'] },
  flows: DEVICE_FLOWS,
  start: (place, settings) =>
    startDevice(process.execPath, [join(place.nodePrograms, 'openid-client-device.mjs')], place, settings),
};

const msal: DeviceClient = {
  protocol: 'Device authorization grant',
  name: 'msal',
  title: 'MSAL for Python (its oauth2cli)',
  from: { debian: ['python3-msal'] },
  flows: DEVICE_FLOWS.filter((flow) => flow !== 'registers itself'),
  start: (place, settings) =>
    startDevice('/usr/bin/python3', ['-B', join(PROGRAMS, 'python/msal_device.py')], place, settings),
};

const oidcAgent: DeviceClient = {
  protocol: 'Device authorization grant',
  name: 'oidc-agent',
  title: 'oidc-agent',
  from: { debian: ['oidc-agent-cli', 'jq', 'curl'] },
  // The link is in its QR code only.
  flows: DEVICE_FLOWS.filter((flow) => flow !== 'link'),
  start: (place, settings) => startDevice('/bin/bash', [join(PROGRAMS, 'oidc-agent/device.sh')], place, settings),
};

export const DEVICE_CLIENTS = [oidcAgent, msal, openidClientDevice];
