import assert from 'node:assert/strict';
import type { Portal } from '@orchestrate/server/testing-api';
import type { ScimClient, ScimFlow } from './foreign-client.ts';

/** A running SCIM program with its portal. */
export interface ScimStage {
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

export const scimFlows: Record<ScimFlow, (stage: ScimStage) => Promise<void>> = {
  'provisioned by Okta': (stage) => provisionFrom('okta', stage),
  'provisioned by Entra': (stage) => provisionFrom('entra', stage),
  'reads members': ({ url }) => requireOk(`${url}/read`),
  'creates a group': ({ url }) => requireOk(`${url}/group`),
  'reads by bearer token': ({ url }) => requireOk(`${url}/read?token`),
};
