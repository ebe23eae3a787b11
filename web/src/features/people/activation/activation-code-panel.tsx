import { Button, Flex, Heading, Text } from '@chakra-ui/react';
import { type ActivationData, type AppType, LIMITS, type Member } from '@orchestrate/shared';
import { Mail } from 'lucide-react';
import { useCallback, useRef } from 'react';
import { useInvalidate } from '../../../lib/api/use-endpoint.ts';
import { formatDateTime } from '../../../lib/format/dates.ts';
import { APP_DENIED } from '../../../lib/session/app-permission.ts';
import { AccountLocked } from '../../../ui/account-locked.tsx';
import { CodeDisplay } from '../../../ui/code-display.tsx';
import { DeviceIcon, deviceTypeLabel } from '../../../ui/device-icon.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import type { MemberRights } from '../member-rights.ts';
import { activationOf, activationStateOf } from './activation-state.ts';
import { TimeLeft } from './time-left.tsx';
import { useActivationCode } from './use-activation-code.ts';

interface ActivationCodeProps {
  member: Member;
  app: AppType;
  rights: MemberRights;
}

interface ActivationCodePanelProps extends ActivationCodeProps {
  /** Shown where the name of the app isn't already above. */
  title?: string;
}

const READING_GROUP = 3;

/** The activation code of one of a member's apps: its state, and the actions on it (spec 1 §4). */
export function ActivationCodePanel({ member, app, rights, title = deviceTypeLabel[app] }: ActivationCodePanelProps) {
  const activation = activationOf(member, app);
  const isAllowed = app === 'mobile' ? member.hasPermissionForMobileApp : member.hasPermissionForWindowsApp;
  return (
    <Flex as="section" aria-label={`${deviceTypeLabel[app]} activation code`} direction="column" gap="4" minW="0">
      <Flex align="center" gap="3" minH="9">
        <DeviceIcon type={app} hasTile size={18} />
        <Heading as="h3" size="sm" flex="1">
          {title}
        </Heading>
        {isAllowed && <StateBadge activation={activation} />}
      </Flex>
      {isAllowed ? (
        <>
          <Code activation={activation} />
          <CodeActions member={member} app={app} rights={rights} activation={activation} />
        </>
      ) : (
        <Text color="fg.muted">{APP_DENIED}</Text>
      )}
    </Flex>
  );
}

function StateBadge({ activation }: { activation: ActivationData }) {
  const state = activationStateOf(activation);
  if (state === 'locked') return <AccountLocked />;
  if (state === 'valid') return <StatusBadge status="Valid" tone="success" />;
  if (state === 'expired') return <StatusBadge status="Expired" />;
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
        <CodeDisplay code={activationCode} label="activation code" size="lg" groupSize={READING_GROUP} />
      ) : (
        <NoCode />
      )}
      <Text textStyle="sm" color="fg.muted">
        {state === 'none' && 'There is no code.'}
        {state === 'locked' && 'Too many wrong codes were entered. Generate a new one.'}
        {state === 'expired' && `Ended on ${formatDateTime(activationExpiry)}`}
        {state === 'valid' && activationExpiry !== null && (
          <>
            Valid until {formatDateTime(activationExpiry)} · <TimeLeft until={activationExpiry} onOver={readAgain} />
          </>
        )}
      </Text>
    </Flex>
  );
}

/** Placeholder for a code. */
function NoCode() {
  const { activationCodePlaceholder: zeros } = LIMITS;
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
      <span>{zeros.slice(0, READING_GROUP)}</span>
      <span>{zeros.slice(READING_GROUP)}</span>
    </Flex>
  );
}

/** Why the member cannot be given a code now, whatever one's permissions. */
function obstacleFor({ accountStatus }: Member): string | undefined {
  return accountStatus === 'inactive' ? 'A disabled member cannot be given a code.' : undefined;
}

function obstacleToGenerate(member: Member, app: AppType, rights: MemberRights): string | undefined {
  if (rights.canGenerate[app]) return obstacleFor(member);
  return rights.canEmail[app]
    ? "You can only e-mail this code: this person has permissions you don't."
    : "You can't generate this code. Contact your Admin.";
}

const blockedBy = (obstacle: string | undefined) =>
  obstacle ? { 'aria-disabled': true, opacity: 0.6, cursor: 'not-allowed' } : {};

interface CodeActionsProps extends ActivationCodeProps {
  activation: ActivationData;
}

function CodeActions({ member, app, rights, activation }: CodeActionsProps) {
  const { generate, email, isGenerating, isEmailing } = useActivationCode(member, app);
  const isBusy = useRef(false);
  const canGenerate = rights.canGenerate[app];
  const obstacle = obstacleToGenerate(member, app, rights);
  const mailObstacle = obstacleFor(member);
  const state = activationStateOf(activation);
  const isMissing = state === 'none' || state === 'expired';
  const once = async (act: () => Promise<void>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    await act();
    isBusy.current = false;
  };

  const label = canGenerate && isMissing ? 'Generate' : 'New Code';
  const emailLabel = isMissing || state === 'locked' ? 'Generate and e-mail' : 'E-mail code';
  return (
    <Flex gap="2.5" wrap="wrap" align="center">
      <Hint text={obstacle}>
        <Button
          size="sm"
          variant={label === 'Generate' ? 'subtle' : 'plain'}
          px={label === 'Generate' ? undefined : '0'}
          loading={isGenerating}
          loadingText={label}
          onClick={() => void (obstacle ?? once(generate))}
          {...blockedBy(obstacle)}
        >
          {label}
        </Button>
      </Hint>
      {rights.canEmail[app] && (
        <Hint text={mailObstacle}>
          <Button
            size="sm"
            variant="outline"
            loading={isEmailing}
            loadingText={emailLabel}
            onClick={() => void (mailObstacle ?? once(email))}
            {...blockedBy(mailObstacle)}
          >
            <Mail />
            {emailLabel}
          </Button>
        </Hint>
      )}
    </Flex>
  );
}
