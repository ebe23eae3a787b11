import {
  getAppProvisioning,
  listProvisioningDeliveries,
  renewScimCredentials,
  saveAppProvisioning,
  updateApp,
} from '@orchestrate/shared';
import { memberByEmail } from '#testing/device.ts';
import type { TestPortal } from '#testing/test-portal.ts';

export const app = { params: { orgCode: 'acme', appId: 'team-wiki' } };

export async function waitUntil<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Returns the provisioning of acme's Team Wiki for an administrator.
 * @param service its URL and the credentials of the portal
 */
export function teamWiki(portal: TestPortal, token: string, service: { url: string; secret: string } & object) {
  const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
  const save = async (body: object = {}) =>
    portal.call(saveAppProvisioning, { ...app, body: { ...service, ...body } }, { token });
  const read = async () => (await portal.call(getAppProvisioning, app, { token })).body.provisioning;
  const log = async () => (await portal.call(listProvisioningDeliveries, { ...app, query: {} }, { token })).body.Items;
  return {
    suidOf,
    save,
    read,
    log,
    /** Returns the log, newest first, as entries like `create delivered`. */
    operations: async () => (await log()).map(({ operation, status }) => `${operation} ${status}`),
    usableBy: (...emails: string[]) =>
      portal.call(updateApp, { ...app, body: { usableBy: { roles: [], people: emails.map(suidOf) } } }, { token }),
    /** Waits until no delivery is running or due. */
    settled: () =>
      waitUntil(async () => {
        const now = await read();
        return now?.people.waiting === 0 && now.groups.waiting === 0 && now;
      }),
  };
}

/** Returns the SCIM endpoint of another portal's globex, with credentials for this one. */
export async function globexScim(other: TestPortal) {
  const { token } = await other.signIn('admin@globex.test');
  const { username, password } = (await other.call(renewScimCredentials, { body: {} }, { token })).body;
  return { url: `${other.url}/scim/v2/globex`, authentication: 'basic', username, secret: password };
}
