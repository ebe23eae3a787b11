import type { ProvisioningDialect, ProvisioningStep } from '@orchestrate/shared';
import type { z } from 'zod';

type Json = z.core.util.JSONType;

/** Directory request with its expected response. */
export interface ScriptedStep extends Pick<ProvisioningStep, 'name' | 'method'> {
  /** Path. `{id}` stands for the ID that the service assigned to the person. */
  path: string;
  body?: Json;
  /** Accepted HTTP statuses. RFC 7644 §3.5.2 allows a PATCH response without a body. */
  statuses: readonly number[];
  /** Expected contents of the response body, if there is a body. */
  contains?: Json;
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const PERSON = '/Users/{id}';
const PATCHED = [200, 204];

const found = (userName: string, query = '') =>
  `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}${query}`;

const patch = (...Operations: Json[]): Json => ({ schemas: [PATCH_OP], Operations });

const reads = (name: string, contains: Json): ScriptedStep => ({
  name,
  method: 'GET',
  path: PERSON,
  statuses: [200],
  contains,
});

/** Returns the requests that Okta sends to provision one person (developer.okta.com, "SCIM 2.0 protocol reference"). */
function okta(userName: string): ScriptedStep[] {
  const search = { method: 'GET', path: found(userName, '&startIndex=1&count=100'), statuses: [200] } as const;
  const person = {
    schemas: [USER],
    userName,
    name: { givenName: 'Isaac', familyName: 'Brock' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Isaac Brock',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    active: true,
  };
  const sets = (active: boolean) => patch({ op: 'replace', value: { active } });
  return [
    { name: 'tests the connection', method: 'GET', path: '/Users?startIndex=1&count=2', statuses: [200] },
    { name: 'searches for the person without a match', ...search, contains: { totalResults: 0 } },
    {
      name: 'creates the person',
      method: 'POST',
      path: '/Users',
      body: person,
      statuses: [201],
      contains: { userName, active: true, name: person.name },
    },
    { name: 'finds the person', ...search, contains: { totalResults: 1, Resources: [{ userName }] } },
    {
      name: 'changes the name',
      method: 'PUT',
      path: PERSON,
      body: { ...person, id: '{id}', name: { givenName: 'Ike', familyName: 'Brock' }, displayName: 'Ike Brock' },
      statuses: [200],
      contains: { name: { givenName: 'Ike' } },
    },
    { name: 'deactivates the person', method: 'PATCH', path: PERSON, body: sets(false), statuses: PATCHED },
    reads('reads that the person is not active', { active: false }),
    { name: 'reactivates the person', method: 'PATCH', path: PERSON, body: sets(true), statuses: PATCHED },
    reads('reads that the person is active', { active: true, name: { givenName: 'Ike' } }),
  ];
}

/**
 * Returns the requests that Microsoft Entra ID sends to provision one person (learn.microsoft.com, "Develop and plan
 * provisioning for a SCIM endpoint").
 */
function entra(userName: string): ScriptedStep[] {
  const search = { method: 'GET', path: found(userName), statuses: [200] } as const;
  const sets = (active: string) => patch({ op: 'Replace', path: 'active', value: active });
  return [
    {
      name: 'tests the connection with an unknown name',
      method: 'GET',
      path: found('c1ba3d5e-2b1d-4a0b-a2a5-8e0f0d3d3a3b'),
      statuses: [200],
      contains: { totalResults: 0 },
    },
    { name: 'searches for the person without a match', ...search, contains: { totalResults: 0 } },
    {
      name: 'creates the person',
      method: 'POST',
      path: '/Users',
      body: {
        schemas: [USER, ENTERPRISE],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName,
        active: true,
        emails: [{ primary: true, type: 'work', value: userName }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Isaac Brock', familyName: 'Brock', givenName: 'Isaac' },
        roles: [],
      },
      statuses: [201],
      contains: { userName, active: true },
    },
    { name: 'finds the person', ...search, contains: { totalResults: 1, Resources: [{ userName }] } },
    {
      name: 'changes the name',
      method: 'PATCH',
      path: PERSON,
      body: patch(
        { op: 'Replace', path: 'name.familyName', value: 'Brockson' },
        { op: 'Replace', path: 'displayName', value: 'Isaac Brockson' },
      ),
      statuses: PATCHED,
    },
    reads('reads the new name', { name: { familyName: 'Brockson' } }),
    { name: 'deactivates the person', method: 'PATCH', path: PERSON, body: sets('False'), statuses: PATCHED },
    reads('reads that the person is not active', { active: false }),
    { name: 'reactivates the person', method: 'PATCH', path: PERSON, body: sets('True'), statuses: PATCHED },
    reads('reads that the person is active', { active: true }),
    { name: 'deletes the person', method: 'DELETE', path: PERSON, statuses: [204] },
    { name: 'no longer finds the person', ...search, contains: { totalResults: 0 } },
  ];
}

/** Scripts by directory, for a person with the given user name. */
export const PROVISIONING_SCRIPTS: Readonly<Record<ProvisioningDialect, (userName: string) => ScriptedStep[]>> = {
  okta,
  entra,
};
