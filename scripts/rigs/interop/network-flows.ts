import assert from 'node:assert/strict';
import type { Portal } from '@orchestrate/server/testing-api';
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

/** The command has asked the portal, and this is what it was told. */
const ASKED = {
  in: { radius: 'Access-Accept', ldap: 'success' },
  denied: { radius: 'Access-Reject', ldap: 'invalidCredentials' },
  wrongSecret: { radius: 'no answer', ldap: 'invalidCredentials' },
} as const;

async function requireTold({ portal, client: { type } }: NetworkStage, what: keyof typeof ASKED): Promise<void> {
  const outcome = ASKED[what][type];
  await portal.verify({ kind: 'exchange', protocol: type, outcome, atLeast: 1 });
}

export const networkFlows: Record<NetworkFlow, (stage: NetworkStage) => Promise<void>> = {
  async 'sign-in'(stage) {
    assert.match(await signInWith('approve', stage), stage.client.succeeds);
    await requireTold(stage, 'in');
  },
  async 'denied on the phone'(stage) {
    assert.doesNotMatch(await signInWith('deny', stage), stage.client.succeeds);
    await requireTold(stage, 'denied');
  },
  async 'wrong secret'(stage) {
    const { client, settings } = stage;
    const wrong = { ...stage, settings: { ...settings, secret: 'another-secret' } };
    if (client.search) assert.doesNotMatch(await client.search(wrong.settings), findsOf(stage));
    else assert.doesNotMatch(await signInWith('approve', wrong), client.succeeds);
    await requireTold(stage, 'wrongSecret');
  },
  async search(stage) {
    const { client, settings } = stage;
    assert.match((await client.search?.(settings)) ?? '', findsOf(stage));
  },
};

const findsOf = ({ client, settings }: NetworkStage) => client.finds ?? new RegExp(`^mail: ${settings.email}$`, 'm');
