import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Device, Profile } from '@orchestrate/shared';
import { Lock, RefreshCw, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatDateTimeSeconds } from '../lib/format/dates.ts';
import { resultText } from '../lib/notices/result-text.ts';
import { hasPermission, useSession } from '../lib/session/session.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { ApprovalDialog } from '../ui/approval-dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RefusalState } from '../ui/refusal-state.tsx';
import { Section } from '../ui/section.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { useValueDuringExit } from '../ui/use-value-during-exit.ts';
import { DeleteDeviceDialog } from './delete-device-dialog.tsx';
import type { DevicePermissions } from './device-permissions.ts';
import { DevicesTable } from './devices-table.tsx';
import { LostDeviceDialog } from './lost-device-dialog.tsx';
import { useDeviceActions } from './use-device-actions.ts';
import { type MemberDevices, useMemberDevices } from './use-member-devices.ts';

interface DevicesPanelProps {
  title: string;
  /** Whose devices; one's own where absent. */
  suid?: string;
  /** Absent where nothing can be done to them. */
  permissions: DevicePermissions | undefined;
  hasNicknames?: boolean;
  /** What helps an owner who has none. */
  withoutDevices?: { description: string; action?: ReactNode };
}

/** A member's registered devices with all actions on them. */
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
  const { setStatus, rename, remove, confirm, asked } = useDeviceActions(memberDevices);
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
          description={withoutDevices?.description ?? t`A device that is added appears here.`}
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
      <ApprovalDialog asked={asked}>
        {t`Then the new device can approve changes, too. If you don't know it, choose “It wasn't me”.`}
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

/** The confirmation of an action; the device is kept while the dialog fades out. */
function useDialog(act: (device: Device) => Promise<void>) {
  const [device, setDevice] = useState<Device>();
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const ask = (asked: Device) => {
    setDevice(asked);
    setIsOpen(true);
  };
  const onClose = () => setIsOpen(false);
  const confirm = async (asked: Device) => {
    setIsPending(true);
    await act(asked);
    setIsPending(false);
    setIsOpen(false);
  };
  const props = device && { device, isOpen, isPending, onClose, onConfirm: () => void confirm(device) };
  return { ask, props };
}
