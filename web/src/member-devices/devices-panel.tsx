import { chakra, Flex, Text } from '@chakra-ui/react';
import type { Device, Permission, Profile } from '@orchestrate/shared';
import { Lock, RefreshCw, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { formatDateTimeSeconds } from '../lib/format/dates.ts';
import { resultText } from '../lib/notices/result-text.ts';
import { hasPermission, useSession } from '../lib/session/session.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Section } from '../ui/section.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { DeleteDeviceDialog } from './delete-device-dialog.tsx';
import { DevicesTable } from './devices-table.tsx';
import { ReportLostDialog } from './report-lost-dialog.tsx';
import { useDeviceActions } from './use-device-actions.ts';
import { type MemberDevices, useMemberDevices } from './use-member-devices.ts';

/** The permissions that the actions need: other ones for another member's devices than for one's own (spec 1 §6). */
export interface DevicePermissions {
  pause: Permission;
  remove: readonly Permission[];
  reportLost: Permission;
}

interface DevicesPanelProps {
  title: string;
  /** Whose devices; one's own where absent. */
  suid?: string;
  /** Absent where nothing can be done to them. */
  permissions: DevicePermissions | undefined;
  hasNicknames?: boolean;
}

/** A member's registered devices with all actions on them. */
export function DevicesPanel({ title, suid, permissions, hasNicknames = false }: DevicesPanelProps) {
  const memberDevices = useMemberDevices(suid);
  return (
    <Section title={title} isFlush aside={<LastRefresh {...memberDevices} />}>
      <DevicesContent
        title={title}
        memberDevices={memberDevices}
        permissions={permissions}
        hasNicknames={hasNicknames}
      />
    </Section>
  );
}

function LastRefresh({ refreshedAt, isValidating, refetch }: MemberDevices) {
  return (
    <Flex align="center" gap="2">
      {refreshedAt !== undefined && (
        <Text textStyle="xs" color="fg.muted" textAlign="end">
          Last refresh <chakra.span whiteSpace="nowrap">{formatDateTimeSeconds(refreshedAt)}</chakra.span>
        </Text>
      )}
      <ActionButton label="Refresh devices" aria-busy={isValidating || undefined} onClick={() => void refetch()}>
        <RefreshCw style={isValidating ? { animation: 'spin 0.8s linear infinite' } : undefined} />
      </ActionButton>
    </Flex>
  );
}

interface DevicesContentProps extends Pick<DevicesPanelProps, 'title' | 'permissions'> {
  hasNicknames: boolean;
  memberDevices: MemberDevices;
}

function DevicesContent({ title, memberDevices, permissions, hasNicknames }: DevicesContentProps) {
  const profile = useSession()?.profile;
  const { setStatus, rename, remove, reportLost } = useDeviceActions(memberDevices);
  const removal = useDialog(remove);
  const loss = useDialog(reportLost);
  const { devices, refusal, refetch } = memberDevices;

  if (!devices && refusal?.status === 403)
    return <EmptyState icon={Lock} title="You can't view these devices" description={resultText(refusal)} />;
  if (!devices && refusal)
    return <ErrorState message={resultText(refusal)} requestId={refusal.requestId} onRetry={() => void refetch()} />;
  if (!devices) return <SkeletonRows label="Loading devices" />;
  if (devices.length === 0)
    return <EmptyState icon={Smartphone} title="No devices yet" description="A device that is added appears here." />;

  const signInZid = profile?.zid ?? '';
  return (
    <>
      <DevicesTable
        label={title}
        devices={devices}
        signInZid={signInZid}
        hasNicknames={hasNicknames}
        can={permissions ? abilitiesOf(profile, permissions) : NOTHING}
        actions={{ setStatus, rename, askRemove: removal.ask, askReportLost: loss.ask }}
      />
      {removal.props && <DeleteDeviceDialog {...removal.props} />}
      {loss.props && (
        <ReportLostDialog
          {...loss.props}
          isSignIn={loss.props.device.zid === signInZid}
          isOnlyDevice={devices.length === 1}
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
