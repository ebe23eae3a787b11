import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type CodeKind, codeOf, type ServerMessage, testDevice, testDeviceLive } from '@orchestrate/shared';
import { ScanLine } from 'lucide-react';
import { useState } from 'react';
import { now } from '#adapters/browser.ts';
import { qrLink } from '#lib/address/authenticator-links.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useLive } from '#lib/api/use-live.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { useSession } from '#lib/session/session.ts';
import { useCountdown } from '#lib/time/timers.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { DeviceIcon, deviceTypeLabel } from '#ui/text/device-icon.tsx';
import { BothSides } from './both-sides.tsx';
import { CodeFaceSkeleton, ScannedCodeFace, TypedCodeFace } from './code-face.tsx';
import { DeviceResult, FactList } from './device-result.tsx';

export type TestDeviceMessage = ServerMessage<typeof testDeviceLive>;
type TestedDevice = Extract<TestDeviceMessage, { op: 'test' }>['value']['device'];

/** Codes for one test, to scan or to type. Either code completes the test. */
interface TestCodes {
  QID: string;
  DID: string;
  /** Code lifetime, in seconds. */
  idTimeout: number;
}

export interface TestDeviceSituation {
  /** Type of code on the open tab. */
  kind: CodeKind;
  /** Undefined before the first test and while codes are being fetched. */
  codes: TestCodes | undefined;
  /** True once the live channel has replaced the fetched codes. Only the channel then has the current codes. */
  isRenewed: boolean;
  isFetching: boolean;
  /** Reason why no codes could be fetched. */
  refusal: { text: string; requestId: string | undefined } | undefined;
  /** Latest message on the live channel. */
  message: TestDeviceMessage | undefined;
  /** True if the server has closed the test's live channel for good. */
  isClosed: boolean;
}

type TestDeviceView =
  | { step: 'intro' }
  | { step: 'fetching' }
  | { step: 'refused'; text: string; requestId: string | undefined }
  | { step: 'code'; value: string; secondsLeft: number; lifetime: number }
  | { step: 'expired'; value: string; lifetime: number }
  | { step: 'success'; device: TestedDevice };

/** Returns what the test-device dialog displays (spec 1 §4). */
export function testDeviceView(situation: TestDeviceSituation): TestDeviceView {
  const { kind, codes, isRenewed, isFetching, refusal, message, isClosed } = situation;
  if (isFetching) return { step: 'fetching' };
  if (refusal) return { step: 'refused', ...refusal };
  if (!codes) return { step: 'intro' };
  const lifetime = codes.idTimeout;
  if (message?.op === 'test') return { step: 'success', device: message.value.device };
  if (isClosed || message?.resultCode === codeOf('EXPIRED')) return { step: 'expired', value: codes[kind], lifetime };
  if (message?.op === kind && message.value)
    return { step: 'code', value: message.value, secondsLeft: message.idTimeout ?? lifetime, lifetime };
  // The channel reports one code at a time. Until it reports this code, the fetched code is current.
  if (!isRenewed) return { step: 'code', value: codes[kind], secondsLeft: message?.idTimeout ?? lifetime, lifetime };
  return { step: 'fetching' };
}

/** Identifies this client to the server. */
const SOURCE = 'portal';

/** A test in progress with its codes and start time. */
interface RunningTest {
  codes: TestCodes;
  epoch: string;
  isRenewed: boolean;
}

/** Tests a device. Fetches codes (GET device/test/{orgCode}) and follows their state on the live channel. */
function useTestDevice() {
  const org = useSession()?.orgId ?? '';
  const [kind, setKind] = useState<CodeKind>('QID');
  const [started, setStarted] = useState<RunningTest>();
  const { run, isPending, refusal } = useWrite(testDevice);
  const live = useLive(testDeviceLive, started ? { qid: started.codes.QID, org, epoch: started.epoch } : null);

  const generate = async () => {
    setStarted(undefined);
    try {
      const { qid, did, idTimeout } = await run({ params: { orgCode: org } });
      setStarted({ codes: { QID: qid, DID: did, idTimeout }, epoch: String(now()), isRenewed: false });
    } catch (failure) {
      // The dialog displays `refusal`.
      if (!(failure instanceof ApiRefusal)) throw failure;
    }
  };

  /** Requests a code's state. The server replaces an expired code. */
  const requestState = (op: CodeKind, value: string | undefined) =>
    live.send({ op, value, org, source: SOURCE, action: 'TEST' });

  const choose = (next: CodeKind) => {
    setKind(next);
    if (started) requestState(next, started.isRenewed ? undefined : started.codes[next]);
  };

  /** Requests a new code over the channel, or fetches new codes if the channel has closed or reported an error. */
  const renew = () => {
    if (!started || live.connection !== 'open') return generate();
    setStarted({ ...started, isRenewed: true });
    requestState(kind, undefined);
    return Promise.resolve();
  };

  const view = testDeviceView({
    kind,
    codes: started?.codes,
    isRenewed: started?.isRenewed ?? false,
    isFetching: isPending,
    refusal: refusal && { text: resultText(refusal), requestId: refusal.requestId },
    message: live.message,
    isClosed: live.connection === 'closed',
  });
  return { view, kind, choose, generate, renew, isReconnecting: live.connection === 'reconnecting' };
}

interface TestDeviceDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete?: (() => void) | undefined;
}

const TABS = [
  { value: 'QID', label: t`Scan` },
  { value: 'DID', label: t`Type code` },
] as const satisfies { value: CodeKind; label: string }[];

const HERE = t`Keep this code visible. The result appears here.`;
const THERE: Record<CodeKind, string> = {
  QID: t`Open the authenticator and scan the code.`,
  DID: t`Open the authenticator and type the code.`,
};

/**
 * Tests a registered device. The user generates a code, responds to it on the device and sees which device responded
 * (spec 1 §4).
 */
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
          <TabList label={t`How to test the device`} tabs={TABS} value={kind} onChange={choose}>
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
        {t`Check that a registered device still responds. Generate a code, then scan or type it on the device. This screen then shows which device responded. The test doesn't sign you in.`}
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
  // The channel reports the remaining seconds, but the ring also needs the code's total lifetime.
  const countdown = { ...running, fraction: running.secondsLeft / view.lifetime };
  const face = { countdown, isExpired, isReconnecting, onRenew };
  if (kind === 'DID') return <TypedCodeFace {...face} code={view.value} label={t`Code to test a device`} />;
  const link = qrLink({ kind: 'test-device', orgCode, qidCode: view.value });
  return <ScannedCodeFace {...face} link={link} label={t`QR code to test a device`} />;
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
