import {
  getAppProvisioning,
  listProvisioningDeliveries,
  renewScimCredentials,
  saveAppProvisioning,
  updateApp,
} from '@orchestrate/shared';
import { memberByEmail } from '#testing/device.ts';
import type { TestPortal } from '#testing/test-portal.ts';

export const teamWikiRequest = { params: { orgCode: 'acme', appId: 'team-wiki' } };

export async function waitUntil<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Returns helpers that manage provisioning of acme's Team Wiki as an administrator.
 * @param service the service's URL and the portal's credentials for it
 */
export function teamWiki(portal: TestPortal, token: string, service: { url: string; secret: string } & object) {
  const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
  const save = async (body: object = {}) =>
    portal.call(saveAppProvisioning, { ...teamWikiRequest, body: { ...service, ...body } }, { token });
  const read = async () => (await portal.call(getAppProvisioning, teamWikiRequest, { token })).body.provisioning;
  const log = async () =>
    (await portal.call(listProvisioningDeliveries, { ...teamWikiRequest, query: {} }, { token })).body.Items;
  return {
    suidOf,
    save,
    read,
    log,
    /** Returns the log, newest first, as entries such as `create delivered`. */
    operations: async () => (await log()).map(({ operation, status }) => `${operation} ${status}`),
    usableBy: (...emails: string[]) =>
      portal.call(
        updateApp,
        { ...teamWikiRequest, body: { usableBy: { roles: [], people: emails.map(suidOf) } } },
        { token },
      ),
    /** Waits until no delivery is pending. */
    settled: () =>
      waitUntil(async () => {
        const now = await read();
        return now?.people.waiting === 0 && now.groups.waiting === 0 && now;
      }),
  };
}

/** Returns the SCIM endpoint of globex at another portal, with credentials for this portal. */
export async function globexScim(other: TestPortal) {
  const { token } = await other.signIn('admin@globex.test');
  const { username, password } = (await other.call(renewScimCredentials, { body: {} }, { token })).body;
  return { url: `${other.url}/scim/v2/globex`, authentication: 'basic', username, secret: password };
}
