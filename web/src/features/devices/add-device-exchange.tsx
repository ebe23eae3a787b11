import { Button, Center, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type AppType, LIMITS } from '@orchestrate/shared';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { qrLink } from '#lib/address/authenticator-links.ts';
import { useSession } from '#lib/session/session.ts';
import { useCountdown } from '#lib/time/timers.ts';
import { CountdownText } from '#ui/feedback/countdown.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { OneTimeCodeInput } from '#ui/form/one-time-code-input.tsx';
import { DeviceIcon } from '#ui/text/device-icon.tsx';
import type { AddDeviceCode, AddDeviceView } from './add-device-view.ts';
import { CodeFaceSkeleton, ScannedCodeFace, TypedCodeFace } from './code-face.tsx';
import { DeviceResult } from './device-result.tsx';

interface VerifyFormProps {
  /** Reason why the last code was rejected, e.g. 'Invalid validation code'. */
  problem: string | undefined;
  isPending: boolean;
  onVerify: (validationCode: string) => void;
  onRetry: () => void;
  onCancel: () => void;
}

/** Prompts for the two characters displayed on the new device. Enter or the button submits them once both are typed. */
function VerifyForm({ problem, isPending, onVerify, onRetry, onCancel }: VerifyFormProps) {
  const [code, setCode] = useState('');
  const isFull = code.length === LIMITS.verificationCodeLength;
  const verify = () => {
    if (isFull && !isPending && !problem) onVerify(code);
  };
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="5"
      onSubmit={(event) => {
        event.preventDefault();
        verify();
      }}
    >
      <OneTimeCodeInput
        label={t`Verification code`}
        kind="letters-and-digits"
        length={LIMITS.verificationCodeLength}
        value={code}
        onChange={setCode}
        error={problem}
        isDisabled={isPending || problem !== undefined}
        hasAutoFocus
      />
      <Flex gap="2.5" justify="center">
        <Button type="button" variant="outline" onClick={onCancel} disabled={isPending}>
          {t`Cancel`}
        </Button>
        {problem ? (
          <Button type="button" onClick={onRetry}>
            {t`Retry`}
          </Button>
        ) : (
          <Button type="submit" disabled={!isFull} loading={isPending} loadingText={t`Verify`}>
            {t`Verify`}
          </Button>
        )}
      </Flex>
    </chakra.form>
  );
}

export interface AddDeviceExchangeProps {
  mode: AppType;
  view: AddDeviceView;
  isReconnecting: boolean;
  onRestart: () => void;
  onConfirm: (validationCode?: string) => void;
  onCancel: () => void;
}

/**
 * Shows one tab of the dialog: the code, then the confirmation or the verification code, or the reason why the
 * attempt ended.
 */
export function AddDeviceExchange({ view, onRestart, ...exchange }: AddDeviceExchangeProps) {
  switch (view.step) {
    case 'fetching':
      return <CodeFaceSkeleton />;
    case 'refused':
      return <ErrorState message={view.text} requestId={view.requestId} onRetry={onRestart} />;
    case 'start':
      return <Code code={view.code} isExpired={false} onRestart={onRestart} {...exchange} />;
    case 'code-expired':
      return <Code code={view.code} isExpired reason={view.text} onRestart={onRestart} {...exchange} />;
    case 'notify':
    case 'failed':
      return <Question key={view.code.aid} view={view} onRestart={onRestart} {...exchange} />;
    case 'cancelled':
      return <DeviceResult look="over" title={t`Cancelled`} />;
    // The dialog shows these steps itself, in place of its tabs.
    case 'complete':
    case 'limit-reached':
    case 'switched-off':
      return null;
  }
}

interface CodeProps extends Pick<AddDeviceExchangeProps, 'isReconnecting' | 'onRestart'> {
  code: AddDeviceCode;
  isExpired: boolean;
  reason?: string | undefined;
}

function Code({ code, isExpired, reason, isReconnecting, onRestart }: CodeProps) {
  const orgCode = useSession()?.orgId ?? '';
  const countdown = useCountdown(code.confirmExpDur, code.aid);
  const face = { countdown, isExpired, isReconnecting, reason, onRenew: onRestart };
  if (code.kind === 'DID') return <TypedCodeFace {...face} code={code.aid} label={t`Code to add a device`} />;
  const link = qrLink({ kind: 'add-device', orgCode, aid: code.aid });
  return <ScannedCodeFace {...face} link={link} label={t`QR code to add a device`} />;
}

interface QuestionProps extends Omit<AddDeviceExchangeProps, 'view'> {
  view: Extract<AddDeviceView, { step: 'notify' | 'failed' }>;
}

function Question({ mode, view, isReconnecting, onRestart, onConfirm, onCancel }: QuestionProps) {
  const isAnswered = view.step === 'notify' && view.isAnswered;
  return (
    <Flex direction="column" align="center" gap="5" textAlign="center" animationStyle="appear">
      {view.step === 'failed' ? (
        <Sign palette="danger">
          <X size={30} aria-hidden />
        </Sign>
      ) : (
        <Sign palette="brand">
          <DeviceIcon type={mode} size={30} />
        </Sign>
      )}
      <Flex direction="column" align="center" gap="2" role="status">
        {view.step === 'notify' && (
          <StatusBadge status={isAnswered ? t`Adding the device` : t`Waiting for consent`} tone="info" />
        )}
        <Heading as="h3" size="md">
          {view.step === 'failed' ? (
            t`Failed to add device`
          ) : (
            <Trans>
              <bdi>{view.deviceName}</bdi> wants to be added
            </Trans>
          )}
        </Heading>
        {isReconnecting && <Text color="fg.muted">{t`Reconnecting…`}</Text>}
        {view.step === 'notify' && !isReconnecting && !isAnswered && <TimeLeft view={view} />}
      </Flex>
      {view.code.kind === 'DID' ? (
        <VerifyForm
          problem={view.step === 'failed' ? view.text : undefined}
          isPending={isAnswered}
          onVerify={onConfirm}
          onRetry={onRestart}
          onCancel={onCancel}
        />
      ) : (
        <Flex gap="2.5">
          <Button variant="outline" onClick={onCancel} disabled={isAnswered}>
            {t`No`}
          </Button>
          <Button onClick={() => onConfirm()} loading={isAnswered} loadingText={t`Yes, add device`}>
            {t`Yes, add device`}
          </Button>
        </Flex>
      )}
    </Flex>
  );
}

function Sign({ palette, children }: { palette: 'brand' | 'danger'; children: ReactNode }) {
  return (
    <Center colorPalette={palette} boxSize="16" borderRadius="full" bg="colorPalette.subtle" color="colorPalette.fg">
      {children}
    </Center>
  );
}

function TimeLeft({ view }: { view: Extract<AddDeviceView, { step: 'notify' }> }) {
  const countdown = useCountdown(view.secondsLeft, `${view.code.aid} connected`);
  return (
    <Text color="fg.muted">
      <Trans>
        Answer within <CountdownText countdown={countdown} />
      </Trans>
    </Text>
  );
}
