import { t } from '@lingui/core/macro';
import { type Device, deleteDevice, type getUser, manageDevice, nameDevice, type ReplyOf } from '@orchestrate/shared';
import { ApiRefusal } from '../lib/api/api-refusal.ts';
import { call } from '../lib/api/call.ts';
import { useInvalidate } from '../lib/api/use-write.ts';
import { announce } from '../lib/notices/announce.ts';
import { resultText } from '../lib/notices/result-text.ts';
import { toastRefusal } from '../lib/notices/toast-refusal.ts';
import { toast } from '../lib/notices/toaster.ts';
import { deviceLabel } from './device-rules.ts';
import type { MemberDevices } from './use-member-devices.ts';

type UserReply = ReplyOf<typeof getUser>;

/**
 * AT_LEAST_ONE_DEVICE_MUST_EXIST and FORBIDDEN: another browser has changed the devices, and now this one must
 * stay. Shown as news, not as a failure.
 */
function isObstacle(failure: unknown): boolean {
  if (!(failure instanceof ApiRefusal)) return false;
  return failure.resultName === 'AT_LEAST_ONE_DEVICE_MUST_EXIST' || failure.resultName === 'FORBIDDEN';
}

/** Reports why a change did not happen. `call` already handles a 401, by leaving the page, and a 404, with a toast. */
function tell(failure: unknown): void {
  if (isObstacle(failure)) toast.info(resultText(failure));
  else if (!(failure instanceof ApiRefusal) || (failure.status !== 401 && failure.status !== 404))
    toastRefusal(failure);
}

function withDevice(reply: UserReply, zid: string, change: Partial<Device>): UserReply {
  const devices = reply.devices.map((device) => (device.zid === zid ? { ...device, ...change } : device));
  return { ...reply, devices };
}

/** The actions on a member's devices. They never throw: a refusal is shown in a toast. */
export function useDeviceActions({ reply, mutate, refetch }: MemberDevices) {
  const invalidate = useInvalidate();
  const suid = reply?.profile.suid ?? '';

  /** Shows the change immediately and reverts it when the server fails or refuses. */
  const changeOptimistically = async (zid: string, change: Partial<Device>, request: () => Promise<unknown>) => {
    if (!reply) return;
    try {
      await mutate(
        async (present = reply) => {
          await request();
          return withDevice(present, zid, change);
        },
        { optimisticData: withDevice(reply, zid, change), rollbackOnError: true },
      );
    } catch (failure) {
      tell(failure);
      if (isObstacle(failure)) await refetch();
    }
  };

  const setStatus = (device: Device, status: Device['status']) => {
    const action = status === 'paused' ? 'pause' : 'enable';
    const body = { zid: device.zid, suid, primaryAttr: reply?.profile.primaryAttr, action, mode: device.type } as const;
    return changeOptimistically(device.zid, { status }, () => call(manageDevice, { body }));
  };

  const rename = async (device: Device, nickname: string) => {
    const body = { zid: device.zid, suid, nickname };
    await changeOptimistically(device.zid, { nickName: nickname }, async () => {
      await call(nameDevice, { body });
      announce(nickname ? t`Nickname saved: ${nickname}` : t`Nickname removed`);
    });
    await invalidate('Member Login History');
  };

  const remove = async (device: Device) => {
    try {
      await call(deleteDevice, { body: { zid: device.zid, suid } });
    } catch (failure) {
      tell(failure);
      if (failure instanceof ApiRefusal && failure.status < 500 && failure.status > 0) await refetch();
      return;
    }
    toast.success(t`${deviceLabel(device)} was deleted`);
    await invalidate('Device Listing', 'Member Profile', 'Member Login History');
  };

  return { setStatus, rename, remove };
}
