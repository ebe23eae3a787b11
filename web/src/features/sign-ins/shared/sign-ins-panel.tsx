import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { endSession, listSessions, type ReplyOf } from '@orchestrate/shared';
import { describeBrowser } from '@orchestrate/shared/authenticator';
import { AppWindow, Globe, type LucideIcon, Monitor } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { setRemembered } from '#lib/session/browser-state.ts';
import { currentSession } from '#lib/session/session.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { translateShared } from '#words/words.ts';
import { signInModeLabel } from './login-mode-label.ts';

/** A session, application or remembered browser as a list row. */
interface SignInLine {
  what: 'session' | 'application' | 'browser';
  id: string;
  title: string;
  /** Details, each on a separate line. */
  facts: ReactNode[];
  isThis: boolean;
}

/**
 * Converts the reply of `GET user/sessions` to rows: this session, other sessions, applications and, if requested,
 * remembered browsers.
 */
function signInLines(
  { sessions, applications, browsers }: ReplyOf<typeof listSessions>,
  { withBrowsers }: { withBrowsers: boolean },
): SignInLine[] {
  const ofSessions = sessions.map(
    ({ id, userAgent, ip, mode, deviceName, createdAt, lastUsedAt, isThis }): SignInLine => ({
      what: 'session',
      id,
      isThis,
      title: translateShared(describeBrowser(userAgent)),
      facts: [
        joinWithDots(signInModeLabel(mode), deviceName, ip),
        <Trans key="since">
          Since <RelativeTime at={createdAt} />
        </Trans>,
        lastUsedAt !== createdAt && <LastUsed at={lastUsedAt} />,
      ].filter(Boolean),
    }),
  );
  const ofApplications = applications.map(
    ({ id, appName, deviceName, expiresAt }): SignInLine => ({
      what: 'application',
      id,
      title: appName,
      isThis: false,
      facts: [joinWithDots(t`Application`, deviceName), t`Expires ${formatDateTime(expiresAt)}`],
    }),
  );
  const ofBrowsers = browsers.map(
    ({ id, userAgent, ip, lastUsedAt }): SignInLine => ({
      what: 'browser',
      id,
      title: translateShared(describeBrowser(userAgent)),
      isThis: false,
      facts: [joinWithDots(t`Remembered browser`, ip), <LastUsed key="used" at={lastUsedAt} />],
    }),
  );
  return [
    ...ofSessions.toSorted((a, b) => Number(b.isThis) - Number(a.isThis)),
    ...ofApplications,
    ...(withBrowsers ? ofBrowsers : []),
  ];
}

const LastUsed = ({ at }: { at: string }) => (
  <Trans>
    Last used <RelativeTime at={at} />
  </Trans>
);

/** Ends sessions of a member, or of the signed-in user if `suid` is undefined. Shows an error in a toast. */
function useEndSignIn(suid: string | undefined) {
  const { run, isPending } = useWrite(endSession, { invalidates: ['Sign-ins', 'Remembered Browsers'] });
  const send = async (body: { what: SignInLine['what'] | 'all'; id?: string }, done: string): Promise<boolean> => {
    try {
      await run({ body: { ...body, ...(suid && { suid }) } });
      toast.success(done);
      return true;
    } catch (failure) {
      toastRefusal(failure);
      return false;
    }
  };
  return {
    isPending,
    end: ({ what, id, title }: SignInLine) => send({ what, id }, t`Session ended: ${title}`),
    endAll: () => send({ what: 'all' }, t`Signed out everywhere else`),
  };
}

/** Ends all sessions except the current one. */
function SignOutEverywhere({ member }: { member: { suid: string; fullName: string } | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const { endAll, isPending } = useEndSignIn(member?.suid);
  const confirm = async () => {
    if (!(await endAll())) return;
    setIsOpen(false);
    if (!member) setRemembered(currentSession()?.orgId ?? '', false);
  };
  return (
    <>
      <Button variant="outline" size={{ base: 'xs', xs: 'sm' }} onClick={() => setIsOpen(true)}>
        {t`Sign out everywhere`}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onConfirm={() => void confirm()}
        title={t`Sign out everywhere`}
        isDestructive
        isPending={isPending}
        consequences={
          member
            ? [
                t`This immediately ends all sessions and application sign-ins of ${member.fullName}.`,
                t`Browsers will no longer remember this member.`,
              ]
            : [
                t`You'll be signed out of all other sessions and all applications immediately. You'll stay signed in here.`,
                t`Browsers, including this one, will no longer remember you.`,
              ]
        }
      />
    </>
  );
}

interface SignInsPanelProps {
  /** Member whose sessions to list; undefined for the signed-in user's own sessions. */
  member?: { suid: string; fullName: string };
}

/** Maximum number of rows before expanding, which keeps the content below in view. */
const SHOWN = 4;

const ICONS: Record<SignInLine['what'], LucideIcon> = { session: Monitor, application: AppWindow, browser: Globe };

/** Lists a user's sessions, each with a button to end it. */
export function SignInsPanel({ member }: SignInsPanelProps) {
  const { data, refusal, refetch } = useRead(listSessions, { query: { suid: member?.suid } });
  return (
    <Section
      title={member ? t`Signed in` : t`Where you're signed in`}
      isFlush
      aside={data && hasMore(data) ? <SignOutEverywhere member={member} /> : undefined}
    >
      {data ? (
        <Lines reply={data} member={member} />
      ) : refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : (
        <SkeletonRows label={t`Loading sign-ins`} />
      )}
    </Section>
  );
}

/** Returns true if there is a session, application or browser that signing out everywhere would end. */
const hasMore = ({ sessions, applications, browsers }: ReplyOf<typeof listSessions>): boolean =>
  sessions.some(({ isThis }) => !isThis) || applications.length > 0 || browsers.length > 0;

function Lines({ reply, member }: { reply: ReplyOf<typeof listSessions> } & SignInsPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Users see their own remembered browsers in a separate list, which also shows when they expire.
  const lines = signInLines(reply, { withBrowsers: member !== undefined });
  if (lines.length === 0) return <EmptyState icon={Monitor} title={t`Not signed in anywhere`} />;
  const rest = lines.length - SHOWN;
  return (
    <>
      <chakra.ul listStyleType="none">
        {lines.slice(0, isOpen ? undefined : SHOWN).map((line) => (
          <Line key={line.id} line={line} suid={member?.suid} />
        ))}
      </chakra.ul>
      {rest > 0 && !isOpen && (
        <Flex justify="center" p="3" borderTopWidth="1px">
          <Button variant="ghost" size="sm" onClick={() => setIsOpen(true)}>{t`Show ${rest} more`}</Button>
        </Flex>
      )}
    </>
  );
}

function Line({ line, suid }: { line: SignInLine; suid: string | undefined }) {
  const { end, isPending } = useEndSignIn(suid);
  const Icon = ICONS[line.what];
  return (
    <Flex as="li" align="center" gap="3" px="5" py="3" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <IconTile>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </IconTile>
      <Flex direction="column" flex="1" minW="0">
        <Flex align="center" wrap="wrap" columnGap="2" minW="0">
          <Text fontWeight="medium" overflowWrap="anywhere">
            {line.title}
          </Text>
          {line.isThis && <StatusBadge status={t`This session`} tone="info" />}
        </Flex>
        {line.facts.map((fact, nth) => (
          <Text key={nth} textStyle="xs" color="fg.muted" overflowWrap="anywhere">
            {fact}
          </Text>
        ))}
      </Flex>
      {!line.isThis && (
        <Button
          variant="outline"
          size="sm"
          flexShrink="0"
          aria-label={t`End ${line.title}`}
          loading={isPending}
          loadingText={t`End`}
          onClick={() => void end(line)}
        >
          {t`End`}
        </Button>
      )}
    </Flex>
  );
}
