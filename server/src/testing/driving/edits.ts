import type { AuditAction, EndpointDefinition } from '@orchestrate/shared';
import * as contract from '@orchestrate/shared';
import { editsOf } from '../editing.ts';
import { BOSS, type Driver, type Write } from './driver.ts';

/** Audit events of edits that don't record their endpoint's `.updated` event. */
const LEFT: readonly [EndpointDefinition, readonly AuditAction[]][] = [
  [contract.saveOidcConfiguration, ['approval.requested', 'portal-oidc.updated']],
  [contract.importConfiguration, ['branding.updated', 'configuration.imported']],
  [contract.renewScimCredentials, ['scim-credentials.renewed']],
];

/** Returns one edit of a versioned resource per endpoint. */
export const editWrites = ({ portal, tokenOf }: Driver): Write[] =>
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
