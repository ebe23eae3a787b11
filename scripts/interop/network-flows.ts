import assert from 'node:assert/strict';
import type { Portal } from '@orchestrate/server/double';
import type { NetworkClient, NetworkFlow, NetworkSettings } from './foreign-client.ts';

/** A command of somebody else, and how it reaches its application. */
export interface NetworkStage {
  portal: Portal;
  client: NetworkClient;
  settings: NetworkSettings;
}

async function signInWith(answer: 'approve' | 'deny', { portal, client, settings }: NetworkStage): Promise<string> {
  await portal.clearPolicies();
  await portal.policy({ match: { email: settings.email, kind: 'app-login' }, answer });
  return client.signIn(settings);
}

export const networkFlows: Record<NetworkFlow, (stage: NetworkStage) => Promise<void>> = {
  async 'sign-in'(stage) {
    assert.match(await signInWith('approve', stage), stage.client.succeeds);
  },
  async 'denied on the phone'(stage) {
    assert.doesNotMatch(await signInWith('deny', stage), stage.client.succeeds);
  },
  async 'wrong secret'({ client, settings }) {
    const wrong = { ...settings, secret: 'another-secret' };
    if (client.search) assert.match(await client.search(wrong), /Invalid credentials/);
    else assert.doesNotMatch(await client.signIn(wrong), /Received/);
  },
  async search({ client, settings }) {
    assert.match((await client.search?.(settings)) ?? '', new RegExp(`^mail: ${settings.email}$`, 'm'));
  },
};
