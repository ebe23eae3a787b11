import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { CodeKind } from '@orchestrate/shared';
import { ScanLine } from 'lucide-react';
import { qrLink } from '../../lib/address/qr-link.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { useSession } from '../../lib/session/session.ts';
import { useCountdown } from '../../lib/time/use-countdown.ts';
import { DeviceIcon, deviceTypeLabel } from '../../ui/device-icon.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Modal } from '../../ui/modal.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { BothSides } from './both-sides.tsx';
import { CodeFaceSkeleton, ScanFace, TypeFace } from './code-face.tsx';
import { DeviceResult, FactList } from './device-result.tsx';
import type { TestDeviceView, TestedDevice } from './test-device-view.ts';
import { useTestDevice } from './use-test-device.ts';

interface TestDeviceDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete?: (() => void) | undefined;
}

const TABS = [
  { value: 'QID', label: t`Scan` },
  { value: 'DID', label: t`Type code` },
] as const satisfies { value: CodeKind; label: string }[];

const HERE = t`Keep this code in sight; the result appears here.`;
const THERE: Record<CodeKind, string> = {
  QID: t`Open the authenticator and scan the code.`,
  DID: t`Open the authenticator and type the code.`,
};

/** Whether a registered device still works: generate a code, answer it on the device, see who answered (spec 1 §4). */
export default function TestDeviceDialog({ isOpen, ...dialog }: TestDeviceDialogProps) {
  const { view, kind, choose, generate, renew, isReconnecting } = useTestDevice();
  return (
    <Modal isOpen={isOpen} {...dialog} size="md" title={t`Test Device`}>
      {view.step === 'intro' && <Intro onGenerate={() => void generate()} />}
      {view.step === 'success' && (
        <Success device={view.device} onAgain={() => void generate()} onClose={dialog.onClose} />
      )}
      {view.step !== 'intro' && view.step !== 'success' && (
        <Flex direction="column" gap="5">
          <BothSides here={HERE} there={THERE[kind]} thereLabel={t`On the device`} device="mobile" />
          <TabList label={t`Ways to test the device`} tabs={TABS} value={kind} onChange={choose}>
            {view.step === 'fetching' && <CodeFaceSkeleton />}
            {view.step === 'refused' && (
              <ErrorState message={view.text} requestId={view.requestId} onRetry={() => void generate()} />
            )}
            {(view.step === 'code' || view.step === 'expired') && (
              <TestCode kind={kind} view={view} isReconnecting={isReconnecting} onRenew={() => void renew()} />
            )}
          </TabList>
        </Flex>
      )}
    </Modal>
  );
}

function Intro({ onGenerate }: { onGenerate: () => void }) {
  return (
    <Flex direction="column" gap="5" align="flex-start">
      <Text color="fg.muted">
        {t`Check that a registered device still answers. Generate a code, scan or type it on the device, and see here which device it was. Nothing is signed in.`}
      </Text>
      <Button onClick={onGenerate}>
        <ScanLine />
        {t`Generate code`}
      </Button>
    </Flex>
  );
}

interface TestCodeProps {
  kind: CodeKind;
  view: Extract<TestDeviceView, { step: 'code' | 'expired' }>;
  isReconnecting: boolean;
  onRenew: () => void;
}

function TestCode({ kind, view, isReconnecting, onRenew }: TestCodeProps) {
  const orgCode = useSession()?.orgId ?? '';
  const isExpired = view.step === 'expired';
  const running = useCountdown(isExpired ? 0 : view.secondsLeft, view.value);
  // The channel tells the remaining seconds; the ring needs the code's whole lifetime.
  const countdown = { ...running, fraction: running.secondsLeft / view.lifetime };
  const face = { countdown, isExpired, isReconnecting, onRenew };
  if (kind === 'DID') return <TypeFace {...face} code={view.value} label={t`Code to test a device`} />;
  const link = qrLink({ kind: 'test-device', orgCode, qidCode: view.value });
  return <ScanFace {...face} link={link} label={t`QR code to test a device`} />;
}

interface SuccessProps {
  device: TestedDevice;
  onAgain: () => void;
  onClose: () => void;
}

function Success({ device, onAgain, onClose }: SuccessProps) {
  return (
    <DeviceResult look="success" title={t`The device works`}>
      <FactList
        facts={[
          [t`Device name`, device.name || t`N/A`],
          [t`Nickname`, device.nickName || t`N/A`],
          [
            t`Type`,
            <Flex key="type" as="span" display="inline-flex" align="center" gap="2">
              <DeviceIcon type={device.type} />
              {deviceTypeLabel[device.type]}
            </Flex>,
          ],
          [t`Registered`, formatDateTime(device.registeredDate)],
        ]}
      />
      <Flex gap="2.5">
        <Button variant="outline" onClick={onAgain}>
          {t`Test again`}
        </Button>
        <Button onClick={onClose}>{t`Done`}</Button>
      </Flex>
    </DeviceResult>
  );
}
