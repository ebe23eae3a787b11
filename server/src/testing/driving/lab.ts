import * as contract from '@orchestrate/shared';
import type { z } from 'zod';
import { startSession } from '#core/sign-in/sessions.ts';
import { beginQr } from '../test-portal.ts';
import { type Driver, NO_CREDENTIALS, USER, type Write } from './driver.ts';

/** Returns writes made by the lab. */
export function labWrites({ portal, send, write }: Driver): Write[] {
  const startSpace = async () => ({
    params: { spaceId: (await send(contract.makeSpace, { body: {} }, NO_CREDENTIALS)).spaceId },
  });

  const takeSnapshot = async () => ({
    params: { snapshotId: (await send(contract.takeSnapshot, { body: {} }, NO_CREDENTIALS)).snapshotId },
  });

  const forgeEvent = async () => {
    const body = { url: 'http://localhost:9/hook', events: ['member.deleted' as const] };
    const { webhook } = await send(contract.createWebhook, { body });
    return { params: { webhookId: webhook.id }, body: { type: 'member.paused' as const } };
  };

  const beginRequest = async () => ({
    params: { loginId: (await beginQr(portal)).loginId },
    body: { as: USER },
  });

  const changePerson =
    (change: Partial<z.input<(typeof contract.makePerson)['body']>>, status?: 'inactive') => async () => {
      const { email } = await send(
        contract.makePerson,
        { body: { org: 'acme', ...(status && { status }) } },
        NO_CREDENTIALS,
      );
      return { body: { org: 'acme', email, ...change } };
    };

  const writes = [
    write(contract.resetLab, ['lab.reset'], { body: {} }, NO_CREDENTIALS),
    write(contract.setClock, ['lab.clock-set'], { body: { advanceSeconds: 60 } }, NO_CREDENTIALS),
    write(contract.addFault, ['lab.fault-added'], { body: { method: 'GET', path: '/health' } }, NO_CREDENTIALS),
    write(contract.clearFaults, ['lab.faults-cleared'], { query: {} }, NO_CREDENTIALS),
    write(
      contract.setPolicy,
      ['lab.policy-set'],
      { body: { match: { email: USER }, answer: 'ignore' } },
      NO_CREDENTIALS,
    ),
    write(contract.clearPolicies, ['lab.policies-cleared'], { query: {} }, NO_CREDENTIALS),
    write(contract.approveRequest, ['lab.phone-answered'], beginRequest, NO_CREDENTIALS),
    write(contract.denyRequest, ['lab.phone-answered'], beginRequest, NO_CREDENTIALS),
    write(contract.makePerson, ['lab.person-made'], { body: { org: 'acme' } }, NO_CREDENTIALS),
    write(contract.makePerson, ['member.updated'], changePerson({ role: 'HELPDESK_ADMIN' }), NO_CREDENTIALS),
    write(contract.makePerson, ['member.paused'], changePerson({ status: 'inactive' }), NO_CREDENTIALS),
    write(contract.makePerson, ['member.unpaused'], changePerson({ status: 'active' }, 'inactive'), NO_CREDENTIALS),
    write(
      contract.makeApplication,
      ['application.created'],
      { body: { org: 'acme', id: 'x', ldap: {} } },
      NO_CREDENTIALS,
    ),
    write(
      contract.makeApplication,
      ['application.updated'],
      { body: { org: 'acme', id: 'payroll', description: 'Pay' } },
      NO_CREDENTIALS,
    ),
    write(contract.makeSession, ['lab.session-made'], { body: { email: USER } }, NO_CREDENTIALS),
    write(contract.issueTokens, ['lab.tokens-issued'], { body: { client: 'team-wiki', as: USER } }, NO_CREDENTIALS),
    write(
      contract.replayProvisioning,
      ['lab.provisioning-replayed'],
      { body: { dialect: 'okta', url: `${portal.url}/scim/v2/acme`, token: 'wrong-token' } },
      NO_CREDENTIALS,
    ),
    write(
      contract.inspectToken,
      [],
      () => ({ body: { token: startSession(portal.deps, portal.device(USER)).token } }),
      NO_CREDENTIALS,
    ),
    write(contract.emptyJournal, ['lab.journal-emptied'], {}, NO_CREDENTIALS),
    write(contract.verifyJournal, [], { body: {} }, NO_CREDENTIALS),
    write(contract.awaitEntry, [], { body: { wait: 0 } }, NO_CREDENTIALS),
    write(contract.addWebhookFault, ['lab.webhook-fault-added'], { body: { do: 'drop' } }, NO_CREDENTIALS),
    write(contract.clearWebhookFaults, ['lab.webhook-faults-cleared'], {}, NO_CREDENTIALS),
    write(contract.forgeDelivery, ['lab.delivery-forged'], forgeEvent, NO_CREDENTIALS),
    write(contract.addOutboxFault, ['lab.outbox-fault-added'], { body: { smtp: 550 } }, NO_CREDENTIALS),
    write(contract.clearOutboxFaults, ['lab.outbox-faults-cleared'], {}, NO_CREDENTIALS),
    write(
      contract.addSocketFault,
      ['lab.socket-fault-added'],
      { body: { channel: 'login', do: 'drop' } },
      NO_CREDENTIALS,
    ),
    write(contract.clearSocketFaults, ['lab.socket-faults-cleared'], {}, NO_CREDENTIALS),
    write(contract.takeSnapshot, ['lab.snapshot-taken'], { body: {} }, NO_CREDENTIALS),
    write(contract.restoreSnapshot, ['lab.snapshot-restored'], takeSnapshot, NO_CREDENTIALS),
    write(contract.dropSnapshot, ['lab.snapshot-dropped'], takeSnapshot, NO_CREDENTIALS),
    write(contract.makeSpace, ['lab.space-started'], { body: {} }, NO_CREDENTIALS),
    write(contract.endSpace, ['lab.space-ended'], startSpace, NO_CREDENTIALS),
    write(contract.emptyOutbox, ['lab.outbox-emptied'], { query: {} }, NO_CREDENTIALS),
  ];
  return writes.map((each) => ({ ...each, by: 'lab' }));
}
