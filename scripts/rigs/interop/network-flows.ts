import assert from 'node:assert/strict';
import type { Portal } from '@orchestrate/server/testing-api';
import type { NetworkClient, NetworkFlow, NetworkSettings } from './foreign-client.ts';

/** A command and its application's settings. */
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

/** Sign-in outcomes as recorded in the portal's journal. */
const OUTCOMES = {
  accepted: { radius: 'Access-Accept', ldap: 'success' },
  denied: { radius: 'Access-Reject', ldap: 'invalidCredentials' },
  wrongSecret: { radius: 'no answer', ldap: 'invalidCredentials' },
} as const;

async function requireOutcome({ portal, client: { type } }: NetworkStage, what: keyof typeof OUTCOMES): Promise<void> {
  const outcome = OUTCOMES[what][type];
  await portal.verify({ kind: 'exchange', protocol: type, outcome, atLeast: 1 });
}

export const networkFlows: Record<NetworkFlow, (stage: NetworkStage) => Promise<void>> = {
  async 'sign-in'(stage) {
    assert.match(await signInWith('approve', stage), stage.client.succeeds);
    await requireOutcome(stage, 'accepted');
  },
  async 'denied on the phone'(stage) {
    assert.doesNotMatch(await signInWith('deny', stage), stage.client.succeeds);
    await requireOutcome(stage, 'denied');
  },
  async 'wrong secret'(stage) {
    const { client, settings } = stage;
    const wrong = { ...stage, settings: { ...settings, secret: 'another-secret' } };
    if (client.search) assert.doesNotMatch(await client.search(wrong.settings), findsOf(stage));
    else assert.doesNotMatch(await signInWith('approve', wrong), client.succeeds);
    await requireOutcome(stage, 'wrongSecret');
  },
  async search(stage) {
    const { client, settings } = stage;
    assert.match((await client.search?.(settings)) ?? '', findsOf(stage));
  },
};

const findsOf = ({ client, settings }: NetworkStage) => client.finds ?? new RegExp(`^mail: ${settings.email}$`, 'm');
