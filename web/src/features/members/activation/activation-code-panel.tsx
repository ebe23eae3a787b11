import { chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ActivationData, type AppType, type Device, HOUR, LIMITS, type Member } from '@orchestrate/shared';
import { Mail } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { deviceLabel } from '#features/devices/shared/device-rules.ts';
import { appSwitchObstacle, useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { useInvalidate } from '#lib/api/use-write.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { APP_DENIED, APP_DENIED_EDITABLE } from '#lib/session/app-permission.ts';
import { portalNow } from '#lib/time/portal-time.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { AccountLocked, StatusBadge } from '#ui/feedback/status-badge.tsx';
import { CodeDisplay } from '#ui/text/code-display.tsx';
import { DeviceIcon, deviceTypeLabel } from '#ui/text/device-icon.tsx';
import type { MemberRights } from '../member-rights.ts';
import { activationOf, activationStateOf, formatRemainingTime } from './activation-state.ts';
import { useActivationCode } from './use-activation-code.ts';

interface TimeLeftProps {
  /** Expiry time of the code, in ISO 8601. */
  until: string;
  /** Called when the code expires, at `until` on the portal's clock. */
  onOver: () => void;
}

/** Shows the remaining time by the portal's clock, in amber during the last hour. */
function TimeLeft({ until, onOver }: TimeLeftProps) {
  const [time, setTime] = useState(portalNow);
  const left = Date.parse(until) - time;
  const isOver = left <= 0;

  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setTime(portalNow()), LIMITS.countdownTickMs);
    return () => clearInterval(timer);
  }, [isOver]);

  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);

  return (
    <chakra.span role="timer" whiteSpace="nowrap" color={left < HOUR ? 'warning.fg' : undefined}>
      {t`${formatRemainingTime(left)} left`}
    </chakra.span>
  );
}

interface ActivationCodeProps {
  member: Member;
  devices: readonly Device[];
  app: AppType;
  rights: MemberRights;
}

interface ActivationCodePanelProps extends ActivationCodeProps {
  /** Heading. Defaults to the app's name. */
  title?: string;
}

const READING_GROUP = 3;

/** Shows a member's activation code for one app, with its state and actions (spec 1 §4). */
export function ActivationCodePanel({ title, ...props }: ActivationCodePanelProps) {
  const { member, app, rights } = props;
  const activation = activationOf(member, app);
  const { data: organisation } = useOrgLoginOptions();
  const isAllowed = app === 'mobile' ? member.hasPermissionForMobileApp : member.hasPermissionForWindowsApp;
  const obstacle =
    appSwitchObstacle(app, organisation) ??
    (isAllowed ? undefined : rights.canEditDetails ? APP_DENIED_EDITABLE : APP_DENIED);
  return (
    <Flex as="section" aria-label={t`${deviceTypeLabel[app]} activation code`} direction="column" gap="4" minW="0">
      <Flex align="center" gap="3" minH="9">
        <DeviceIcon type={app} hasTile size={18} />
        <Heading as="h3" size="sm" flex="1">
          {title ?? deviceTypeLabel[app]}
        </Heading>
        {!obstacle && <StateBadge activation={activation} />}
      </Flex>
      {obstacle ? (
        <Text color="fg.muted">{obstacle}</Text>
      ) : (
        <>
          <Code activation={activation} />
          <CodeActions {...props} activation={activation} />
        </>
      )}
    </Flex>
  );
}

function StateBadge({ activation }: { activation: ActivationData }) {
  const state = activationStateOf(activation);
  if (state === 'locked') return <AccountLocked />;
  if (state === 'valid') return <StatusBadge status={t`Valid`} tone="success" />;
  if (state === 'expired') return <StatusBadge status={t`Expired`} tone="danger" needsAction />;
  return null;
}

function Code({ activation }: { activation: ActivationData }) {
  const invalidate = useInvalidate();
  const readAgain = useCallback(() => void invalidate('Member Profile'), [invalidate]);
  const { activationCode, activationExpiry } = activation;
  const state = activationStateOf(activation);
  const isShown = state === 'valid' && activationCode !== '';
  return (
    <Flex direction="column" gap="2">
      {isShown ? (
        <CodeDisplay code={activationCode} label={t`activation code`} size="lg" groupSize={READING_GROUP} />
      ) : (
        <NoCode text={state === 'none' ? LIMITS.activationCodePlaceholder : HIDDEN} />
      )}
      <Text textStyle="sm" color="fg.muted">
        {state === 'none' && t`No code has been generated yet.`}
        {state === 'locked' && t`Too many wrong codes were entered. Generate a new one.`}
        {state === 'expired' && t`Expired on ${formatDateTime(activationExpiry)}`}
        {state === 'valid' && activationExpiry !== null && (
          <Trans>
            Valid until {formatDateTime(activationExpiry)} · <TimeLeft until={activationExpiry} onOver={readAgain} />
          </Trans>
        )}
      </Text>
    </Flex>
  );
}

/** Placeholder for a hidden code. Screen readers don't read it as digits. */
const HIDDEN = '•'.repeat(LIMITS.activationCodeLength);

/** Shows a placeholder: the specification's text if there is no code, or dots if the code is hidden. */
function NoCode({ text }: { text: string }) {
  return (
    <Flex
      aria-hidden
      align="center"
      minH="14"
      px="5"
      columnGap="0.6em"
      borderWidth="1px"
      borderStyle="dashed"
      borderRadius="l2"
      textStyle="code"
      fontSize="2xl"
      letterSpacing="wide"
      color="fg.subtle"
      userSelect="none"
    >
      <span>{text.slice(0, READING_GROUP)}</span>
      <span>{text.slice(READING_GROUP)}</span>
    </Flex>
  );
}

/**
 * Returns why the member can't receive a code at the moment, regardless of the user's permissions, and what to do
 * about it.
 */
function obstacleFor(
  { accountStatus, firstName }: Member,
  app: AppType,
  devices: readonly Device[],
): string | undefined {
  if (accountStatus === 'inactive') return t`Enable this member before generating a code for them.`;
  const phone = app === 'mobile' && devices.find(({ type, status }) => type === 'mobile' && status === 'active');
  if (!phone) return undefined;
  return t`${firstName} signs in with ${deviceLabel(phone)} and can use it to add another phone. If the device is lost, report it lost first.`;
}

function obstacleToGenerate(rights: MemberRights, app: AppType): string | undefined {
  if (rights.canGenerate[app]) return undefined;
  return rights.canEmail[app]
    ? t`You can only email this code, because this person has permissions you don't.`
    : t`You can't generate this code. Contact your administrator.`;
}

interface CodeActionsProps extends ActivationCodeProps {
  activation: ActivationData;
}

function CodeActions({ member, devices, app, rights, activation }: CodeActionsProps) {
  const { generate, email, isGenerating, isEmailing } = useActivationCode(member, app);
  const [isAsked, setIsAsked] = useState(false);
  const general = obstacleFor(member, app, devices);
  const state = activationStateOf(activation);
  const isMissing = state === 'none' || state === 'expired';
  const emailLabel = isMissing || state === 'locked' ? t`Generate and email` : t`Email code`;
  const isFirst = rights.canGenerate[app] && isMissing;
  return (
    <Flex direction="column" gap="2.5">
      <Flex gap="2.5" wrap="wrap" align="center">
        <ExplainedButton
          obstacle={obstacleToGenerate(rights, app) ?? general}
          size="sm"
          variant={isFirst ? 'subtle' : 'plain'}
          px={isFirst ? undefined : '0'}
          loading={isGenerating}
          loadingText={isFirst ? t`Generate` : t`New Code`}
          onClick={() => (state === 'valid' ? setIsAsked(true) : void generate())}
        >
          {isFirst ? t`Generate` : t`New Code`}
        </ExplainedButton>
        {rights.canEmail[app] && (
          <ExplainedButton
            obstacle={general}
            size="sm"
            variant="outline"
            h="auto"
            minH="8"
            maxW="full"
            py="1"
            whiteSpace="normal"
            loading={isEmailing}
            loadingText={emailLabel}
            onClick={() => void email()}
          >
            <Mail />
            {emailLabel}
          </ExplainedButton>
        )}
      </Flex>
      {general && (
        <Text textStyle="sm" color="fg.muted">
          {general}
        </Text>
      )}
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        onConfirm={() => {
          setIsAsked(false);
          void generate();
        }}
        title={t`Replace the valid code?`}
        verb={t`Replace code`}
        consequences={[
          t`The current code stops working immediately.`,
          t`We won't notify this person. Give them the new code yourself.`,
        ]}
      />
    </Flex>
  );
}
