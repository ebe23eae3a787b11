import { Box, Center, chakra, Flex, Link, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LIMITS, type SignInRecord } from '@orchestrate/shared';
import { CircleCheck, Clock, type LucideIcon, MailWarning, ShieldAlert, UserRoundX } from 'lucide-react';
import { Link as RouterLink } from 'react-router-dom';
import { activityPath } from '#features/audit/shared/activity-address.ts';
import { signInDeviceLabel } from '#features/sign-ins/shared/login-entry.tsx';
import { signInModeLabel } from '#features/sign-ins/shared/login-mode-label.ts';
import { signInReasonLabel } from '#features/sign-ins/shared/sign-in-results.tsx';
import { signInsPath } from '#features/sign-ins/shared/sign-ins-address.ts';
import { memberAddressFrom } from '#lib/address/member-address.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { paths } from '#paths.ts';
import { Section, SectionRow, SectionRows } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { DotSeparated } from '#ui/text/dot-separated.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import type { Summary } from './first-steps.tsx';

interface AttentionItem {
  icon: LucideIcon;
  tone: 'warning' | 'danger';
  title: string;
  text: string;
  to: string;
}

interface NeedsAttentionProps {
  summary: Summary | undefined;
  maySeeSignIns: boolean;
  /** True to link each condition to the matching list. */
  hasLinks: boolean;
}

/** Lists conditions that an administrator should act on. */
export function NeedsAttention({ summary, maySeeSignIns, hasLinks }: NeedsAttentionProps) {
  const items = summary ? attentionItems(summary, maySeeSignIns) : [];
  return (
    <Section
      title={t`Needs attention`}
      isFlush
      aside={
        items.length > 0 && (
          <Text textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums" aria-hidden>
            {formatNumber(items.length)}
          </Text>
        )
      }
    >
      {!summary ? (
        <SkeletonRows label={t`Loading what needs attention`} />
      ) : items.length === 0 ? (
        <Flex align="center" gap="3" p="5" color="fg.muted">
          <Center color="success.fg">
            <CircleCheck size={18} aria-hidden />
          </Center>
          <Text>{t`Nothing needs your attention.`}</Text>
        </Flex>
      ) : (
        <SectionRows>
          {items.map(({ icon: Icon, tone, title, text, to }) => (
            <SectionRow
              key={to}
              to={hasLinks ? to : undefined}
              image={
                <Center color={`${tone}.fg`} flexShrink="0">
                  <Icon size={18} strokeWidth={1.75} aria-hidden />
                </Center>
              }
              title={title}
              text={text}
            />
          ))}
        </SectionRows>
      )}
    </Section>
  );
}

function attentionItems({ days, codesExpiring, disowned, members }: Summary, maySeeSignIns: boolean): AttentionItem[] {
  const week = days.slice(-LIMITS.reportDays);
  const from = week[0]?.day;
  const notMe = maySeeSignIns ? week.reduce((total, day) => total + day.notMe, 0) : 0;
  const reported = maySeeSignIns ? disowned : 0;
  const items: (AttentionItem & { count: number })[] = [
    {
      count: notMe,
      icon: ShieldAlert,
      tone: 'danger',
      title: plural(notMe, {
        one: '“It wasn’t me” on # sign-in',
        other: '“It wasn’t me” on # sign-ins',
      }),
      text: t`In the last ${LIMITS.reportDays} days`,
      to: signInsPath({ status: 'Failed', reason: 'not-me', from }),
    },
    {
      count: reported,
      icon: UserRoundX,
      tone: 'danger',
      title: plural(reported, {
        one: '# sign-in reported as someone else’s',
        other: '# sign-ins reported as someone else’s',
      }),
      text: t`In the last ${LIMITS.reportDays} days`,
      to: activityPath({ action: 'sign-in.disowned', from }),
    },
    {
      count: codesExpiring,
      icon: Clock,
      tone: 'warning',
      title: plural(codesExpiring, {
        one: '# activation code expires soon',
        other: '# activation codes expire soon',
      }),
      text: t`Within ${LIMITS.codeExpiresSoonHours} h. Send new codes.`,
      to: `${paths.manageUsers}?codes=expiring`,
    },
    {
      count: members.unverified,
      icon: MailWarning,
      tone: 'warning',
      title: plural(members.unverified, {
        one: '# unverified email address',
        other: '# unverified email addresses',
      }),
      text: t`Signed up, but can’t sign in yet`,
      to: `${paths.manageUsers}?status=unverified`,
    },
  ];
  return items.filter(({ count }) => count > 0);
}

function AllSignIns() {
  return (
    <Link asChild textStyle="sm">
      <RouterLink to={paths.signIns}>{t`All sign-ins`}</RouterLink>
    </Link>
  );
}

/** Lists the organisation's latest sign-ins. */
export function LatestPanel({ latest }: { latest: readonly SignInRecord[] | undefined }) {
  return (
    <Section title={t`Latest sign-ins`} isFlush aside={<AllSignIns />}>
      {!latest ? (
        <SkeletonRows rows={5} size="sm" label={t`Loading sign-ins`} />
      ) : latest.length === 0 ? (
        <Text p="5" color="fg.muted">
          {t`No sign-ins yet. They appear here, including failed ones.`}
        </Text>
      ) : (
        <chakra.ul listStyleType="none">
          {latest.map((record) => (
            <LatestRow key={record.id} record={record} />
          ))}
        </chakra.ul>
      )}
    </Section>
  );
}

const NameLink = chakra(RouterLink, {
  base: { fontWeight: 'medium', color: 'fg', borderRadius: 'xs', outline: '0', focusVisibleRing: 'outside' },
});

function LatestRow({ record }: { record: SignInRecord }) {
  const { name, appName, loginStatus, reason, mode, suid, primaryAttr, accountStatus } = record;
  const to = memberAddressFrom(paths.member, { suid, primaryAttr, accountStatus, fullName: name });
  const link = <NameLink to={to}>{name}</NameLink>;
  const isFailed = loginStatus !== 'Success';
  return (
    <Flex
      as="li"
      align="center"
      gap="3"
      px="5"
      py="2"
      // As high as a row of the skeleton.
      minH="53px"
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0', minH: '52px' }}
    >
      {isFailed ? (
        <IconTile tone="danger">
          <ShieldAlert size={16} strokeWidth={1.75} aria-hidden />
        </IconTile>
      ) : (
        <Center w="9" flexShrink="0">
          <InitialsAvatar name={name} />
        </Center>
      )}
      <Box flex="1" minW="0" color="fg.muted">
        {isFailed ? (
          <Text overflowWrap="anywhere">
            <Trans>
              {link} couldn’t sign in to {appName}
            </Trans>
          </Text>
        ) : (
          <Text overflowWrap="anywhere">
            <Trans>
              {link} signed in to {appName}
            </Trans>
          </Text>
        )}
        {isFailed && (
          <Text textStyle="sm" color="danger.fg">
            {reason ? t`Failed: ${signInReasonLabel(reason)}` : t`Failed`}
          </Text>
        )}
      </Box>
      <Box w="72" flexShrink="1" minW="0" display={{ base: 'none', sm: 'block' }}>
        <DotSeparated textStyle="sm" parts={[signInDeviceLabel(record), signInModeLabel(mode)]} />
      </Box>
      <Box w="24" flexShrink="0" textAlign="end" textStyle="sm" color="fg.muted">
        <RelativeTime at={record.timestamp} />
      </Box>
    </Flex>
  );
}
