import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type AppType, type CodeKind, type DeviceType, getOrgSettings } from '@orchestrate/shared';
import { ArrowLeft, ChevronRight } from 'lucide-react';
import { Suspense, useState } from 'react';
import {
  appSwitchObstacle,
  DISABLED_FOR_ORGANISATION,
  useOrgLoginOptions,
} from '#features/settings/shared/login-options.ts';
import { useRead } from '#lib/api/use-read.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { appDeniedText, isAppAllowed } from '#lib/session/app-permission.ts';
import { supportsPasskeys } from '#lib/session/browser-state.ts';
import { useSession } from '#lib/session/session.ts';
import { confirmationText } from '#lib/session/use-approval-state.ts';
import { ApprovalDialog } from '#ui/dialog/approval-dialog.tsx';
import { Modal } from '#ui/dialog/modal.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { Steps } from '#ui/list/steps.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { DeviceIcon } from '#ui/text/device-icon.tsx';
import { AddDeviceExchange } from './add-device-exchange.tsx';
import { ADD_DEVICE_STEPS, type AddDeviceView, stepOf } from './add-device-view.ts';
import { BothSides } from './both-sides.tsx';
import { DesktopActivation } from './desktop-activation.tsx';
import { DeviceResult, FactList, LimitReached } from './device-result.tsx';
import { useAddDevice } from './use-add-device.ts';
import { useAddDeviceApproval } from './use-add-device-approval.ts';

const kinds = [
  { type: 'mobile', title: t`Mobile`, text: t`A phone or tablet with the authenticator app` },
  { type: 'desktop', title: t`Desktop`, text: t`A computer with the desktop authenticator` },
  { type: 'webauthn', title: t`Passkey`, text: t`This device or a security key, without an app` },
] as const satisfies { type: DeviceType; title: string; text: string }[];

/**
 * Selects the device type. Offers apps only if the organisation and the profile allow them, and passkeys only if the
 * portal accepts them.
 */
function DeviceChoice({ onChoose }: { onChoose: (kind: DeviceType) => void }) {
  const session = useSession();
  const profile = session?.profile;
  const { data: organisation } = useRead(getOrgSettings, session ? { query: { code: session.orgId } } : null);
  const hasPasskeys = (organisation?.webAuthnEnabled ?? false) && supportsPasskeys();
  const offered = kinds.filter(({ type }) => type !== 'webauthn' || hasPasskeys);
  const { data: options } = useOrgLoginOptions();
  const obstacleOf = (type: DeviceType): string | undefined => {
    if (type === 'webauthn') return undefined;
    return appSwitchObstacle(type, options) ?? (isAppAllowed(profile, type) ? undefined : appDeniedText(profile));
  };
  return (
    <Flex direction="column" gap="3">
      {offered.map(({ type, title, text }) => (
        <Choice
          key={type}
          type={type}
          title={title}
          text={text}
          obstacle={obstacleOf(type)}
          onChoose={() => onChoose(type)}
        />
      ))}
    </Flex>
  );
}

interface ChoiceProps {
  type: DeviceType;
  title: string;
  text: string;
  /** Reason why the option is disabled. The option stays focusable to let users read the reason. */
  obstacle: string | undefined;
  onChoose: () => void;
}

function Choice({ type, title, text, obstacle, onChoose }: ChoiceProps) {
  const isAllowed = obstacle === undefined;
  return (
    <chakra.button
      type="button"
      aria-disabled={isAllowed ? undefined : true}
      onClick={() => isAllowed && onChoose()}
      display="flex"
      alignItems="center"
      gap="4"
      w="full"
      p="4"
      textAlign="start"
      borderWidth="1px"
      borderRadius="l3"
      cursor={isAllowed ? 'pointer' : 'not-allowed'}
      outline="0"
      focusVisibleRing="outside"
      transition="background-color 120ms, border-color 120ms"
      _hover={isAllowed ? { bg: 'bg.subtle', borderColor: 'border.emphasized' } : {}}
    >
      <Box opacity={isAllowed ? 1 : 0.5}>
        <DeviceIcon type={type} hasTile size={20} />
      </Box>
      <Box flex="1" minW="0">
        <Text fontWeight="semibold" color={isAllowed ? 'fg' : 'fg.muted'}>
          {title}
        </Text>
        <Text textStyle="sm" color="fg.muted">
          {obstacle ?? text}
        </Text>
      </Box>
      {isAllowed && (
        <Box color="fg.subtle">
          <ChevronRight size={18} aria-hidden />
        </Box>
      )}
    </chakra.button>
  );
}

interface Sides {
  here: string;
  there: string;
}

const KEEP_VISIBLE = t`Keep this code visible until the device has connected.`;

const byKind: Record<CodeKind, { connect: Sides; notify: Sides }> = {
  QID: {
    connect: { here: KEEP_VISIBLE, there: t`Open the authenticator and scan the code.` },
    notify: {
      here: t`Confirm that the connected device is yours.`,
      there: t`It is waiting for your answer. You don't have to do anything here.`,
    },
  },
  DID: {
    connect: { here: KEEP_VISIBLE, there: t`Open the authenticator and type the code.` },
    notify: {
      here: t`Enter the two characters displayed on the new device.`,
      there: t`Read the two characters of the verification code.`,
    },
  },
};

const FAILED: Sides = {
  here: t`The two characters didn't match.`,
  there: t`Connect the device again with a new code.`,
};
const CANCELLED: Sides = { here: t`A new code will appear in a moment.`, there: t`The device was rejected.` };
const EXPIRED: Sides = { here: t`This code has expired. Get a new one.`, there: t`Wait for the new code.` };

/** Returns a sentence for this screen and a sentence for the new device. */
function sidesOf(kind: CodeKind, { step }: AddDeviceView): Sides {
  if (step === 'failed') return FAILED;
  if (step === 'cancelled') return CANCELLED;
  if (step === 'code-expired') return EXPIRED;
  return step === 'notify' ? byKind[kind].notify : byKind[kind].connect;
}

interface AddDeviceDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete?: (() => void) | undefined;
}

const TABS = [
  { value: 'QID', label: t`Scan` },
  { value: 'DID', label: t`Type code` },
] as const satisfies { value: CodeKind; label: string }[];

/** Height of a code with its countdown and action. Keeps the dialog size constant across steps. */
const EXCHANGE_HEIGHT = { base: '80', xs: '388px' };

const titles: Record<DeviceType, string> = {
  mobile: t`Add a mobile device`,
  desktop: t`Add a desktop device`,
  webauthn: t`Add a passkey`,
};

// Loaded on demand, because passkeys are rarely added and require their own browser library.
const AddPasskey = lazyPart(() => import('./add-passkey.tsx'));

/** Adds a device in four steps: choose its type, connect, confirm and finish (spec 1 §4). */
export default function AddDeviceDialog({ isOpen, onClose, onExitComplete }: AddDeviceDialogProps) {
  const { pending, run } = useAddDeviceApproval();
  const { restored, view, isReconnecting, begin, confirm, reset, leave } = useAddDevice(run);
  const [mode, setMode] = useState<DeviceType | undefined>(restored?.mode);
  const [kind, setKind] = useState<CodeKind>(restored?.code.kind ?? 'QID');

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
      {t`Choose another device type`}
    </Button>
  );
  return (
    <Modal
      isOpen={isOpen}
      onClose={close}
      onExitComplete={onExitComplete}
      size="md"
      title={mode ? titles[mode] : t`Add device`}
      {...(mode ? {} : { description: t`Which type of device do you want to add?` })}
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
              <DeviceResult look="over" title={DISABLED_FOR_ORGANISATION} />
              {back}
            </>
          )}
          {view.step !== 'complete' && isOffered && (
            <>
              <BothSides {...sidesOf(kind, view)} thereLabel={t`On the new device`} device={mode} />
              <TabList label={t`How to add the device`} tabs={TABS} value={kind} onChange={(next) => show(mode, next)}>
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
      <ApprovalDialog pending={pending}>
        {t`You signed in to this browser without a device. To add a device, approve it on one you already use.`}
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
    <DeviceResult look="success" title={t`${view.deviceName} was added`} text={t`You can now sign in with it.`}>
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
