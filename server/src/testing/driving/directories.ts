import type { AuditAction } from '@orchestrate/shared';
import type { Json } from '../../protocols/scim/json.ts';
import { directoryOf, groupWith, userWith } from '../../protocols/scim/testing.ts';
import { type Driver, USER, type Write } from './driver.ts';

/** Writes of a directory over SCIM. */
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
    scim('SCIM POST /Groups', ['role.created', 'member.updated'], () =>
      directory().send('POST', '/Groups', groupWith({ displayName: 'Night shift', members: members() })),
    ),
    scim('SCIM PATCH /Groups, the name', ['role.updated'], () =>
      directory().patch('/Groups/AUDITOR', [{ op: 'replace', path: 'displayName', value: 'Examiner' }]),
    ),
    scim('SCIM PATCH /Groups, a member', ['member.updated'], () =>
      directory().patch('/Groups/AUDITOR', [{ op: 'add', path: 'members', value: members() }]),
    ),
    {
      of: 'SCIM PUT /Groups',
      by: 'directory',
      leaves: ['role.updated', 'member.updated'],
      async prepare() {
        const { id } = await directory().send('POST', '/Groups', groupWith({ displayName: 'Night shift' }));
        const group = groupWith({ displayName: 'Day shift', members: members() });
        return async () => {
          const { status } = await directory().send('PUT', `/Groups/${id}`, group);
          if (status !== 200) throw new Error(`SCIM PUT /Groups: ${status}`);
        };
      },
    },
    scim('SCIM DELETE /Groups', ['role.deleted'], () => directory().send('DELETE', '/Groups/AUDITOR')),
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
