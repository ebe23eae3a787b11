import type { AuditAction, EndpointDefinition } from '@orchestrate/shared';
import * as contract from '@orchestrate/shared';
import type { ForeignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { editsOf } from '../editing.ts';
import type { TestPortal } from '../test-portal.ts';
import { applicationWrites } from './applications.ts';
import { deviceWrites } from './devices.ts';
import { directoryWrites } from './directories.ts';
import { BOSS, type Driver, driverOf, type Write } from './driver.ts';
import { labWrites } from './lab.ts';
import { peopleWrites } from './people.ts';
import { settingsWrites } from './settings.ts';
import { visitorWrites } from './visitors.ts';

/** Audit events of edits that don't record their endpoint's `.updated` event. */
const LEFT: readonly [EndpointDefinition, readonly AuditAction[]][] = [
  [contract.saveOidcConfiguration, ['approval.requested', 'portal-oidc.updated']],
  [contract.importConfiguration, ['branding.updated', 'configuration.imported']],
  [contract.renewScimCredentials, ['scim-credentials.renewed']],
];

/** Returns one edit of a versioned resource per endpoint. */
const editWrites = ({ portal, tokenOf }: Driver): Write[] =>
  editsOf(portal, () => tokenOf(BOSS)).map(({ entry, read, write }) => ({
    of: entry,
    by: 'member',
    leaves: LEFT.find(([known]) => known === entry)?.[1] ?? [
      ...(entry.events ?? []).filter((action) => action.endsWith('.updated')),
    ],
    async prepare() {
      await read();
      return async () => {
        const { status } = await write('edited', {});
        if (status !== 200) throw new Error(`${entry.path}: ${status}`);
      };
    },
  }));

/**
 * Returns every write the portal supports, made through the public interface.
 * @param foreign provider that knows the portal's callback address
 */
export function writesOf(portal: TestPortal, foreign: ForeignProvider): Write[] {
  const driver = driverOf(portal);
  return [
    ...editWrites(driver),
    ...settingsWrites(driver, foreign),
    ...applicationWrites(driver),
    ...peopleWrites(driver),
    ...deviceWrites(driver),
    ...visitorWrites(driver, foreign),
    ...labWrites(driver),
    ...directoryWrites(driver),
  ];
}
