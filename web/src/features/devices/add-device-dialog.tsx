import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { AppType, CodeKind, DeviceType } from '@orchestrate/shared';
import { ArrowLeft } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/browser/lazy-part.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { confirmationText } from '../../lib/session/confirmation-text.ts';
import { SWITCHED_OFF } from '../../login-options/org-login-options.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { ApprovalDialog } from '../../ui/approval-dialog.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Steps } from '../../ui/steps.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { AddDeviceExchange } from './add-device-exchange.tsx';
import { sidesOf } from './add-device-sides.ts';
import { ADD_DEVICE_STEPS, type AddDeviceView, stepOf } from './add-device-view.ts';
import { BothSides } from './both-sides.tsx';
import { DesktopActivation } from './desktop-activation.tsx';
import { DeviceChoice } from './device-choice.tsx';
import { DeviceResult, FactList } from './device-result.tsx';
import { LimitReached } from './limit-reached.tsx';
import { useAddDevice } from './use-add-device.ts';
import { useAddDeviceApproval } from './use-add-device-approval.ts';

interface AddDeviceDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete?: (() => void) | undefined;
}

const TABS = [
  { value: 'QID', label: t`Scan` },
  { value: 'DID', label: t`Type code` },
] as const satisfies { value: CodeKind; label: string }[];

/** The height of a code with its countdown and action, so that the dialog keeps its size from step to step. */
const EXCHANGE_HEIGHT = { base: '80', xs: '388px' };

const titles: Record<DeviceType, string> = {
  mobile: t`Add a mobile device`,
  desktop: t`Add a desktop device`,
  webauthn: t`Add a passkey`,
};

// Few people add one, and the browser's side of it is a library of its own.
const AddPasskey = lazyPart(() => import('./add-passkey.tsx'));

/** Adding a device: choose its kind, connect, confirm, done (spec 1 §4). */
export default function AddDeviceDialog({ isOpen, onClose, onExitComplete }: AddDeviceDialogProps) {
  const { asked, run } = useAddDeviceApproval();
  const { kept, view, isReconnecting, begin, confirm, reset, leave } = useAddDevice(run);
  const [mode, setMode] = useState<DeviceType | undefined>(kept?.mode);
  const [kind, setKind] = useState<CodeKind>(kept?.code.kind ?? 'QID');

  const show = (nextMode: AppType, nextKind: CodeKind) => {
    setMode(nextMode);
    setKind(nextKind);
    begin(nextMode, nextKind);
  };
  const choose = (chosen: DeviceType) => (chosen === 'webauthn' ? setMode(chosen) : show(chosen, 'QID'));
  const goBack = () => {
    setMode(undefined);
    reset();
  };
  const close = () => {
    leave();
    onClose();
  };

  const isOffered = view.step !== 'limit-reached' && view.step !== 'switched-off';
  const back = (
    <Button variant="ghost" size="sm" alignSelf="flex-start" ms="-3" mb="-2" onClick={goBack}>
      <ArrowLeft />
      {t`Another kind of device`}
    </Button>
  );
  return (
    <Modal
      isOpen={isOpen}
      onClose={close}
      onExitComplete={onExitComplete}
      size="md"
      title={mode ? titles[mode] : t`Add device`}
      {...(mode ? {} : { description: t`What kind of device will sign in as you?` })}
    >
      {mode === undefined && <DeviceChoice onChoose={choose} />}
      {mode === 'webauthn' && (
        <Flex direction="column" gap="5">
          <Suspense>
            <AddPasskey run={run} onClose={close} onBack={goBack} />
          </Suspense>
        </Flex>
      )}
      {(mode === 'mobile' || mode === 'desktop') && (
        <Flex direction="column" gap="5">
          {isOffered && <Steps steps={ADD_DEVICE_STEPS} current={stepOf(view)} isOver={view.step === 'complete'} />}
          {view.step === 'complete' && <Complete view={view} onClose={close} onAnother={goBack} />}
          {view.step === 'limit-reached' && <LimitReached onClose={close} />}
          {view.step === 'switched-off' && (
            <>
              <DeviceResult look="over" title={SWITCHED_OFF} />
              {back}
            </>
          )}
          {view.step !== 'complete' && isOffered && (
            <>
              <BothSides {...sidesOf(kind, view)} thereLabel={t`On the new device`} device={mode} />
              <TabList label={t`Ways to add the device`} tabs={TABS} value={kind} onChange={(next) => show(mode, next)}>
                <Flex direction="column" justify="center" minH={EXCHANGE_HEIGHT}>
                  <AddDeviceExchange
                    mode={mode}
                    view={view}
                    isReconnecting={isReconnecting}
                    onRestart={() => show(mode, kind)}
                    onConfirm={confirm}
                    onCancel={() => show(mode, kind)}
                  />
                </Flex>
              </TabList>
              {mode === 'desktop' && <DesktopActivation run={run} />}
              {back}
            </>
          )}
        </Flex>
      )}
      <ApprovalDialog asked={asked}>
        {t`This browser was signed in without a device. To add one, approve it on a device you already use.`}
      </ApprovalDialog>
    </Modal>
  );
}

interface CompleteProps {
  view: Extract<AddDeviceView, { step: 'complete' }>;
  onClose: () => void;
  onAnother: () => void;
}

function Complete({ view, onClose, onAnother }: CompleteProps) {
  return (
    <DeviceResult look="success" title={t`${view.deviceName} was added`} text={t`It can sign in as you from now on.`}>
      <FactList
        facts={[
          [t`Device`, view.deviceName],
          [t`Added`, formatDateTime(view.timestamp)],
        ]}
      />
      {view.confirmation && <AlertLine tone="info">{confirmationText(view.confirmation)}</AlertLine>}
      <Flex gap="2.5">
        <Button variant="outline" onClick={onAnother}>
          {t`Add another`}
        </Button>
        <Button onClick={onClose}>{t`Done`}</Button>
      </Flex>
    </DeviceResult>
  );
}
