import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { listSessions, type ReplyOf } from '@orchestrate/shared';
import { AppWindow, Globe, type LucideIcon, Monitor } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../lib/api/use-read.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconTile } from '../ui/icon-tile.tsx';
import { RefusalState } from '../ui/refusal-state.tsx';
import { Section } from '../ui/section.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { type SignInLine, signInLines } from './sign-in-lines.ts';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import { useEndSignIn } from './use-end-sign-in.ts';

interface SignInsPanelProps {
  /** The member and their name, where the sign-ins are somebody else's. */
  member?: { suid: string; fullName: string };
}

/** More would push everything below out of view. */
const SHOWN = 4;

const ICONS: Record<SignInLine['what'], LucideIcon> = { session: Monitor, application: AppWindow, browser: Globe };

/** Where somebody is signed in, with buttons to end each sign-in. */
export function SignInsPanel({ member }: SignInsPanelProps) {
  const { data, refusal, refetch } = useRead(listSessions, { query: { suid: member?.suid } });
  return (
    <Section
      title={member ? t`Signed in` : t`Where you are signed in`}
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

/** Whether there is anything that signing out everywhere would end. */
const hasMore = ({ sessions, applications, browsers }: ReplyOf<typeof listSessions>): boolean =>
  sessions.some(({ isThis }) => !isThis) || applications.length > 0 || browsers.length > 0;

function Lines({ reply, member }: { reply: ReplyOf<typeof listSessions> } & SignInsPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  // One's own remembered browsers have a list of their own, which also shows their expiry.
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
          {line.isThis && <StatusBadge status={t`This one`} tone="info" />}
        </Flex>
        {line.facts.map((fact) => (
          <Text key={fact} textStyle="xs" color="fg.muted" overflowWrap="anywhere">
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
