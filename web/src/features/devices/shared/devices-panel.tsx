import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  type Device,
  deleteDevice,
  type getUser,
  manageDevice,
  nameDevice,
  type Profile,
  type ReplyOf,
} from '@orchestrate/shared';
import { Lock, RefreshCw, Smartphone } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useInvalidate, useWrite } from '#lib/api/use-write.ts';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { announce } from '#lib/notices/announce.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { hasPermission, useSession } from '#lib/session/session.ts';
import { useFreshApproval } from '#lib/session/use-fresh-approval.ts';
import { ApprovalDialog } from '#ui/dialog/approval-dialog.tsx';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import type { DevicePermissions } from './device-permissions.ts';
import { deviceLabel } from './device-rules.ts';
import { DevicesTable } from './devices-table.tsx';
import { LostDeviceDialog } from './lost-device-dialog.tsx';
import { type MemberDevices, useMemberDevices } from './use-member-devices.ts';

type UserReply = ReplyOf<typeof getUser>;

/**
 * Returns true for AT_LEAST_ONE_DEVICE_MUST_EXIST and FORBIDDEN, which mean that the devices changed in another
 * browser and this device must now stay. Display these refusals as information, not as errors.
 */
function isObstacle(failure: unknown): boolean {
  if (!(failure instanceof ApiRefusal)) return false;
  return failure.resultName === 'AT_LEAST_ONE_DEVICE_MUST_EXIST' || failure.resultName === 'FORBIDDEN';
}

/** Reports why a change was rejected. `call` already handles 401 by leaving the screen, and 404 with a toast. */
function reportFailure(failure: unknown): void {
  if (isObstacle(failure)) toast.info(resultText(failure));
  else if (!(failure instanceof ApiRefusal) || (failure.status !== 401 && failure.status !== 404))
    toastRefusal(failure);
}

function withDevice(reply: UserReply, zid: string, change: Partial<Device>): UserReply {
  const devices = reply.devices.map((device) => (device.zid === zid ? { ...device, ...change } : device));
  return { ...reply, devices };
}

/** Returns the actions on a member's devices. They never throw, but report refusals in a toast. */
function useDeviceActions({ reply, preview }: MemberDevices) {
  const invalidate = useInvalidate();
  const { pending, approve } = useFreshApproval();
  const managing = useWrite(manageDevice, { invalidates: ['Device Listing'] });
  const naming = useWrite(nameDevice, { invalidates: ['Device Listing', 'Member Login History'] });
  const removing = useWrite(deleteDevice, {
    invalidates: ['Device Listing', 'Member Profile', 'Member Login History'],
  });
  /** Latest rename of each device. The next rename waits for it, because requests can overtake each other. */
  const renames = useRef(new Map<string, Promise<void>>());
  const suid = reply?.profile.suid ?? '';
  const previewOf = (zid: string, change: Partial<Device>) => ({
    preview: preview((shown) => withDevice(shown, zid, change)),
  });

  const setStatus = async (device: Device, status: Device['status']) => {
    const action = status === 'paused' ? 'pause' : 'enable';
    const body = { zid: device.zid, suid, primaryAttr: reply?.profile.primaryAttr, action, mode: device.type } as const;
    await managing.run({ body }, previewOf(device.zid, { status })).catch(reportFailure);
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
      reportFailure(failure);
      return;
    }
    announce(nickname ? t`Nickname saved: ${nickname}` : t`Nickname removed`);
  };

  const remove = async (device: Device) => {
    try {
      await removing.run({ body: { zid: device.zid, suid } });
    } catch (failure) {
      reportFailure(failure);
      return;
    }
    toast.success(t`${deviceLabel(device)} was deleted`);
  };

  /** Lets a new device approve changes after another device has confirmed it. */
  const confirm = async (device: Device) => {
    try {
      await approve({ action: 'confirm-device', content: { zid: device.zid } });
    } catch (failure) {
      reportFailure(failure);
      return;
    }
    toast.success(t`${deviceLabel(device)} can now approve changes`);
    await invalidate('Device Listing', 'Member Profile');
  };

  return { setStatus, rename, remove, confirm, pending };
}

interface DeviceDialogProps {
  device: Device;
  isOpen: boolean;
  isPending: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

function DeleteDeviceDialog({ device, ...dialog }: DeviceDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      title={t`Delete ${deviceLabel(device)}?`}
      verb={t`Delete device`}
      isDestructive
      consequences={[
        t`It can no longer be used to sign in.`,
        t`All sessions signed in with it end immediately.`,
        t`To use it again, add it as a new device.`,
      ]}
    />
  );
}

interface DevicesPanelProps {
  title: string;
  /** The devices' owner; defaults to the signed-in user. */
  suid?: string;
  /** Absent if the devices are read-only. */
  permissions: DevicePermissions | undefined;
  hasNicknames?: boolean;
  /** Help displayed if the owner has no devices. */
  withoutDevices?: { description: string; action?: ReactNode };
}

/** Lists a member's registered devices, with all actions the user can take. */
export function DevicesPanel({ title, suid, permissions, hasNicknames = false, withoutDevices }: DevicesPanelProps) {
  const memberDevices = useMemberDevices(suid);
  return (
    <Section title={title} isFlush aside={<LastRefresh {...memberDevices} />}>
      <DevicesContent
        title={title}
        memberDevices={memberDevices}
        permissions={permissions}
        hasNicknames={hasNicknames}
        withoutDevices={withoutDevices}
      />
    </Section>
  );
}

function LastRefresh({ refreshedAt, isValidating, refetch }: MemberDevices) {
  return (
    <Flex align="center" gap="2">
      {refreshedAt !== undefined && (
        <Text textStyle="xs" color="fg.muted" textAlign="end">
          <Trans>
            Last refresh <chakra.span whiteSpace="nowrap">{formatDateTimeSeconds(refreshedAt)}</chakra.span>
          </Trans>
        </Text>
      )}
      <ActionButton label={t`Refresh devices`} aria-busy={isValidating || undefined} onClick={() => void refetch()}>
        <RefreshCw style={isValidating ? { animation: 'spin 0.8s linear infinite' } : undefined} />
      </ActionButton>
    </Flex>
  );
}

interface DevicesContentProps extends Pick<DevicesPanelProps, 'title' | 'permissions' | 'withoutDevices'> {
  hasNicknames: boolean;
  memberDevices: MemberDevices;
}

function DevicesContent({ title, memberDevices, permissions, hasNicknames, withoutDevices }: DevicesContentProps) {
  const profile = useSession()?.profile;
  const { setStatus, rename, remove, confirm, pending } = useDeviceActions(memberDevices);
  const removal = useDialog(remove);
  const [lost, setLost] = useState<Device | null>(null);
  const loss = useValueDuringExit(lost);
  const { devices, reply, refusal, refetch } = memberDevices;

  if (!devices && refusal?.status === 403)
    return <EmptyState icon={Lock} title={t`You can't view these devices`} description={resultText(refusal)} />;
  if (!devices && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!devices || !reply) return <SkeletonRows label={t`Loading devices`} />;

  const isSelf = profile?.suid === reply.profile.suid;
  return (
    <>
      {devices.length === 0 ? (
        <EmptyState
          icon={Smartphone}
          title={t`No devices yet`}
          description={withoutDevices?.description ?? t`Added devices appear here.`}
          action={withoutDevices?.action}
        />
      ) : (
        <DevicesTable
          label={title}
          devices={devices}
          signInZid={profile?.zid ?? ''}
          hasNicknames={hasNicknames}
          can={permissions ? abilitiesOf(profile, permissions) : NOTHING}
          actions={{
            setStatus,
            rename,
            askRemove: removal.ask,
            askReportLost: setLost,
            confirm: isSelf ? (device) => void confirm(device) : undefined,
          }}
        />
      )}
      <ApprovalDialog pending={pending}>
        {t`After that, the new device can approve changes too. If you don't recognise it, choose “It wasn't me”.`}
      </ApprovalDialog>
      {removal.props && <DeleteDeviceDialog {...removal.props} />}
      {loss.shown && permissions && (
        <LostDeviceDialog
          key={loss.shown.zid}
          device={loss.shown}
          devices={devices}
          owner={reply.profile}
          permissions={permissions}
          isOpen={loss.isOpen}
          onClose={() => setLost(null)}
          onExitComplete={loss.forget}
        />
      )}
    </>
  );
}

const NOTHING = { pause: false, remove: false, reportLost: false };

const abilitiesOf = (profile: Profile | undefined, { pause, remove, reportLost }: DevicePermissions) => ({
  pause: hasPermission(profile, pause),
  remove: remove.some((permission) => hasPermission(profile, permission)),
  reportLost: hasPermission(profile, reportLost),
});

/** Manages a confirmation dialog, and keeps its device during the exit animation. */
function useDialog(act: (device: Device) => Promise<void>) {
  const [device, setDevice] = useState<Device>();
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const ask = (device: Device) => {
    setDevice(device);
    setIsOpen(true);
  };
  const onClose = () => setIsOpen(false);
  const confirm = async (device: Device) => {
    setIsPending(true);
    await act(device);
    setIsPending(false);
    setIsOpen(false);
  };
  const props = device && { device, isOpen, isPending, onClose, onConfirm: () => void confirm(device) };
  return { ask, props };
}
