import type { AuditAction } from '@orchestrate/shared';
import type { Json } from '#protocols/scim/json.ts';
import { directoryOf, groupWith, userWith } from '#protocols/scim/testing.ts';
import { type Driver, USER, type Write } from './driver.ts';

/** Returns a directory's writes over SCIM. */
export function directoryWrites({ portal, suidOf }: Driver): Write[] {
  const directory = () => directoryOf(portal);
  const scim = (
    of: string,
    leaves: readonly AuditAction[],
    ask: () => Promise<{ status: number; body: Json }>,
  ): Write => ({
    of,
    by: 'directory',
    leaves,
    prepare: async () => async () => {
      const { status, body } = await ask();
      if (status >= 300) throw new Error(`${of}: ${status} ${JSON.stringify(body)}`);
    },
  });
  const ann = userWith({ userName: 'ann@acme.test', name: { givenName: 'Ann', familyName: 'Other' } });
  const members = () => [{ value: suidOf(USER) }];
  const onGroup = (
    of: string,
    leaves: readonly AuditAction[],
    change: (path: string) => Promise<{ status: number }>,
  ): Write => ({
    of,
    by: 'directory',
    leaves,
    async prepare() {
      const group = groupWith({ displayName: 'Night shift', members: members() });
      const { id } = await directory().send('POST', '/Groups', group);
      return async () => {
        const { status } = await change(`/Groups/${id}`);
        if (status >= 300) throw new Error(`${of}: ${status}`);
      };
    },
  });
  return [
    scim('SCIM POST /Users', ['member.created'], () => directory().send('POST', '/Users', ann)),
    scim('SCIM PUT /Users', ['member.updated'], () => directory().send('PUT', `/Users/${suidOf(USER)}`, ann)),
    scim('SCIM PATCH /Users, a name', ['member.updated'], () =>
      directory().patch(`/Users/${suidOf(USER)}`, [{ op: 'replace', path: 'name.givenName', value: 'Given' }]),
    ),
    scim('SCIM PATCH /Users, disabled', ['member.paused'], () =>
      directory().patch(`/Users/${suidOf(USER)}`, [{ op: 'replace', path: 'active', value: false }]),
    ),
    scim('SCIM PATCH /Users, disabled and enabled', ['member.paused', 'member.unpaused'], async () => {
      const set = (value: boolean) =>
        directory().patch(`/Users/${suidOf(USER)}`, [{ op: 'replace', path: 'active', value }]);
      await set(false);
      return set(true);
    }),
    scim('SCIM DELETE /Users', ['member.deleted'], () => directory().send('DELETE', `/Users/${suidOf(USER)}`)),
    scim('SCIM POST /Groups', ['group.created', 'group.member-added'], () =>
      directory().send('POST', '/Groups', groupWith({ displayName: 'Night shift', members: members() })),
    ),
    onGroup('SCIM PATCH /Groups, the name', ['group.updated'], (path) =>
      directory().patch(path, [{ op: 'replace', path: 'displayName', value: 'Day shift' }]),
    ),
    onGroup('SCIM PATCH /Groups, no members', ['group.member-removed'], (path) =>
      directory().patch(path, [{ op: 'remove', path: 'members' }]),
    ),
    onGroup('SCIM PUT /Groups', ['group.updated', 'group.member-removed'], (path) =>
      directory().send('PUT', path, groupWith({ displayName: 'Day shift', members: [] })),
    ),
    onGroup('SCIM DELETE /Groups', ['group.deleted'], (path) => directory().send('DELETE', path)),
    scim('SCIM PATCH /Groups, a member with a role', ['member.updated'], () =>
      directory().patch('/Groups/AUDITOR', [{ op: 'add', path: 'members', value: members() }]),
    ),
    scim('SCIM PATCH /Groups, the id of a role', ['role.updated'], () =>
      directory().patch('/Groups/AUDITOR', [{ op: 'replace', path: 'externalId', value: 'a-1' }]),
    ),
    scim('SCIM POST /Bulk', ['member.created', 'member.deleted'], () =>
      directory().send('POST', '/Bulk', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'a', data: ann },
          { method: 'DELETE', path: `/Users/${suidOf(USER)}` },
        ],
      }),
    ),
  ];
}
