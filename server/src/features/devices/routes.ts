import { deviceRepo } from '@orchestrate/db';
import { contract, fullNameOf, LIMITS } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { deviceObject } from '../../core/audit/audit-objects.ts';
import { record } from '../../core/audit/record.ts';
import { requireBoundDevice, requireOlderDevice } from '../../core/device-keys/require-bound-device.ts';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { Refusal } from '../../platform/refusal.ts';
import { beginAddDevice } from './add-device.ts';
import { serveAddDevice } from './add-device-live.ts';
import { addPasskeyDevice, beginPasskeyRegistration } from './add-passkey.ts';
import { beginTest } from './begin-test.ts';
import { changeDeviceStatus } from './change-device-status.ts';
import { replaceDevice } from './replace-device.ts';
import { serveTestDevice } from './test-device-live.ts';

/** The devices of a member, as the portal manages them. */
export function devices(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.addDevice, ({ caller, target, body: { type, mode, approvalId }, ip, userAgent }) => {
    requireBoundDevice(deps, deps.db, caller, approvalId);
    return beginAddDevice(deps, { member: target, type, mode, requester: { ip, userAgent } });
  });

  implement(app, deps, contract.deleteDevice, ({ caller, actor, target, body: { zid, action } }) => {
    const command = { action: action ? 'lose' : 'delete', zid } as const;
    requireOlderDevice(deps, deps.db, caller, { suid: target.suid, ...command });
    changeDeviceStatus(deps, { caller, actor, target }, command);
    return {};
  });

  implement(app, deps, contract.replaceDevice, ({ caller, actor, target, body }) =>
    replaceDevice(deps, { caller, actor, target }, body),
  );

  implement(app, deps, contract.manageDevice, ({ caller, actor, target, body: { zid, action } }) => {
    requireOlderDevice(deps, deps.db, caller, { suid: target.suid, action, zid });
    changeDeviceStatus(deps, { caller, actor, target }, { action, zid });
    return {};
  });

  implement(
    app,
    deps,
    contract.nameDevice,
    ({ actor, target: { orgCode, suid }, body: { zid, nickname: nickName } }) => {
      deps.db.transaction((tx) => {
        const device = deviceRepo.findDevice(tx, orgCode, zid);
        if (!device || !deviceRepo.setDeviceNickname(tx, orgCode, { suid, zid, nickName })) {
          throw new Refusal('ID_DOESNOT_EXIST');
        }
        const facts = { before: { nickName: device.nickName }, after: { nickName } };
        record(deps, tx, actor, { action: 'device.renamed', object: deviceObject(device), ...facts });
      });
      return { nickName };
    },
  );

  implement(app, deps, contract.testDevice, ({ caller: { orgCode, suid, member }, ip, userAgent }) => {
    const requester = { ip, userAgent, fullName: fullNameOf(member) };
    const { qid, did } = beginTest(deps, { orgCode, suid, requester });
    return { qid: qid ?? '', did: did ?? '', idTimeout: LIMITS.testDeviceLifetimeSeconds };
  });

  implement(app, deps, contract.beginPasskey, ({ caller, ip, userAgent, body: { approvalId } }) => {
    requireBoundDevice(deps, deps.db, caller, approvalId);
    return beginPasskeyRegistration(deps, caller, { ip, userAgent });
  });

  implement(app, deps, contract.addPasskey, ({ caller, actor, body, ip, userAgent }) =>
    addPasskeyDevice(deps, caller, { ...body, requester: { ip, userAgent } }, actor),
  );

  serveAddDevice(app, deps);
  serveTestDevice(app, deps);
}
