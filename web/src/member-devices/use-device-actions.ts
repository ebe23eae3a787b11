import { t } from '@lingui/core/macro';
import { type Device, deleteDevice, type getUser, manageDevice, nameDevice, type ReplyOf } from '@orchestrate/shared';
import { useRef } from 'react';
import { ApiRefusal } from '../lib/api/api-refusal.ts';
import { useInvalidate, useWrite } from '../lib/api/use-write.ts';
import { announce } from '../lib/notices/announce.ts';
import { resultText } from '../lib/notices/result-text.ts';
import { toastRefusal } from '../lib/notices/toast-refusal.ts';
import { toast } from '../lib/notices/toaster.ts';
import { useFreshApproval } from '../lib/session/use-fresh-approval.ts';
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
export function useDeviceActions({ reply, preview }: MemberDevices) {
  const invalidate = useInvalidate();
  const { asked, approve } = useFreshApproval();
  const managing = useWrite(manageDevice, { invalidates: ['Device Listing'] });
  const naming = useWrite(nameDevice, { invalidates: ['Device Listing', 'Member Login History'] });
  const removing = useWrite(deleteDevice, {
    invalidates: ['Device Listing', 'Member Profile', 'Member Login History'],
  });
  /** The last rename of each device. The next one waits for it, because the network may overtake a slow request. */
  const renames = useRef(new Map<string, Promise<void>>());
  const suid = reply?.profile.suid ?? '';
  const previewOf = (zid: string, change: Partial<Device>) => ({
    preview: preview((shown) => withDevice(shown, zid, change)),
  });

  const setStatus = async (device: Device, status: Device['status']) => {
    const action = status === 'paused' ? 'pause' : 'enable';
    const body = { zid: device.zid, suid, primaryAttr: reply?.profile.primaryAttr, action, mode: device.type } as const;
    await managing.run({ body }, previewOf(device.zid, { status })).catch(tell);
  };

  const rename = async (device: Device, nickname: string) => {
    const body = { zid: device.zid, suid, nickname };
    const shown = previewOf(device.zid, { nickName: nickname });
    const earlier = renames.current.get(device.zid);
    const saved = Promise.resolve(earlier).then(() => naming.run({ body }, shown));
    renames.current.set(
      device.zid,
      saved.then(
        () => undefined,
        () => undefined,
      ),
    );
    try {
      await saved;
    } catch (failure) {
      tell(failure);
      return;
    }
    announce(nickname ? t`Nickname saved: ${nickname}` : t`Nickname removed`);
  };

  const remove = async (device: Device) => {
    try {
      await removing.run({ body: { zid: device.zid, suid } });
    } catch (failure) {
      tell(failure);
      return;
    }
    toast.success(t`${deviceLabel(device)} was deleted`);
  };

  /** Lets a new device approve changes, once another device has confirmed it. */
  const confirm = async (device: Device) => {
    try {
      await approve({ action: 'confirm-device', content: { zid: device.zid } });
    } catch (failure) {
      tell(failure);
      return;
    }
    toast.success(t`${deviceLabel(device)} can approve changes now`);
    await invalidate('Device Listing', 'Member Profile');
  };

  return { setStatus, rename, remove, confirm, asked };
}
