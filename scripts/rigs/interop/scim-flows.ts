import assert from 'node:assert/strict';
import type { Portal } from '@orchestrate/server/testing-api';
import type { ScimClient, ScimFlow } from './foreign-client.ts';

/** A service of somebody else that keeps people. */
export interface ScimStage {
  portal: Portal;
  client: ScimClient;
  url: string;
}

async function toldBy(dialect: 'okta' | 'entra', { portal, client, url }: ScimStage): Promise<void> {
  const email = `isaac.${dialect}@example.com`;
  const { steps } = await portal.provision({ dialect, url: url + client.service, token: 'a-token', email });
  assert.ok(steps.length > 0);
  assert.deepEqual(
    steps.filter(({ ok }) => !ok),
    [],
  );
}

async function readBy(address: string): Promise<void> {
  const answer = await fetch(address);
  assert.equal(answer.status, 200, await answer.text());
}

export const scimFlows: Record<ScimFlow, (stage: ScimStage) => Promise<void>> = {
  'told by Okta': (stage) => toldBy('okta', stage),
  'told by Entra': (stage) => toldBy('entra', stage),
  'reads our people': ({ url }) => readBy(`${url}/read`),
  'makes a group of them': ({ url }) => readBy(`${url}/group`),
  'reads them by a token': ({ url }) => readBy(`${url}/read?token`),
};
