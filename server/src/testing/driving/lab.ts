import * as contract from '@orchestrate/shared';
import { startSession } from '#core/sign-in/sessions.ts';
import { beginQr } from '../test-portal.ts';
import { ANYBODY, type Driver, USER, type Write } from './driver.ts';

/** Writes of the lab. */
export function labWrites({ portal, send, write }: Driver): Write[] {
  const startSpace = async () => ({
    params: { spaceId: (await send(contract.makeSpace, { body: {} }, ANYBODY)).spaceId },
  });

  const takeSnapshot = async () => ({
    params: { snapshotId: (await send(contract.takeSnapshot, { body: {} }, ANYBODY)).snapshotId },
  });

  const beginRequest = async () => ({
    params: { loginId: (await beginQr(portal)).loginId },
    body: { as: USER },
  });

  const writes = [
    write(contract.resetLab, ['lab.reset'], { body: {} }, ANYBODY),
    write(contract.setClock, ['lab.clock-set'], { body: { advanceSeconds: 60 } }, ANYBODY),
    write(contract.addFault, ['lab.fault-added'], { body: { method: 'GET', path: '/health' } }, ANYBODY),
    write(contract.clearFaults, ['lab.faults-cleared'], { query: {} }, ANYBODY),
    write(contract.setPolicy, ['lab.policy-set'], { body: { match: { email: USER }, answer: 'ignore' } }, ANYBODY),
    write(contract.clearPolicies, ['lab.policies-cleared'], { query: {} }, ANYBODY),
    write(contract.approveRequest, ['lab.phone-answered'], beginRequest, ANYBODY),
    write(contract.denyRequest, ['lab.phone-answered'], beginRequest, ANYBODY),
    write(contract.makePerson, ['lab.person-made'], { body: { org: 'acme' } }, ANYBODY),
    write(contract.makeSession, ['lab.session-made'], { body: { email: USER } }, ANYBODY),
    write(
      contract.replayProvisioning,
      ['lab.provisioning-replayed'],
      { body: { dialect: 'okta', url: `${portal.url}/scim/v2/acme`, token: 'wrong-token' } },
      ANYBODY,
    ),
    write(
      contract.inspectToken,
      [],
      () => ({ body: { token: startSession(portal.deps, portal.device(USER)).token } }),
      ANYBODY,
    ),
    write(contract.emptyJournal, ['lab.journal-emptied'], {}, ANYBODY),
    write(contract.verifyJournal, [], { body: {} }, ANYBODY),
    write(contract.addSocketFault, ['lab.socket-fault-added'], { body: { channel: 'login', do: 'drop' } }, ANYBODY),
    write(contract.clearSocketFaults, ['lab.socket-faults-cleared'], {}, ANYBODY),
    write(contract.takeSnapshot, ['lab.snapshot-taken'], { body: {} }, ANYBODY),
    write(contract.restoreSnapshot, ['lab.snapshot-restored'], takeSnapshot, ANYBODY),
    write(contract.dropSnapshot, ['lab.snapshot-dropped'], takeSnapshot, ANYBODY),
    write(contract.makeSpace, ['lab.space-started'], { body: {} }, ANYBODY),
    write(contract.endSpace, ['lab.space-ended'], startSpace, ANYBODY),
    write(contract.emptyOutbox, ['lab.outbox-emptied'], {}, ANYBODY),
  ];
  return writes.map((each) => ({ ...each, by: 'lab' }));
}
