import { Box, Button, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { cancelEmailChange, fullNameOf, type GroupName, type Member, type PendingEmail } from '@orchestrate/shared';
import { BadgeCheck, IdCard, Pencil, Trash2, TriangleAlert, UserRoundCheck, UserRoundX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { capitalize, joinWithDots } from '#lib/format/text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import type { MemberDialogName } from '../dialogs/member-dialog.ts';
import type { MemberRights } from '../member-rights.ts';
import { isGreyedOut, statusBadge } from '../shared/member-status.ts';
import { usePrimaryAttribute } from '../shared/names.ts';

interface EmailStateProps {
  member: Member;
  pending: PendingEmail | null;
  canCancel: boolean;
}

/** Shows whether the member's email address is verified, and a pending new address. */
function EmailState({ member, pending, canCancel }: EmailStateProps) {
  const { run, isPending } = useWrite(cancelEmailChange, { invalidates: ['Member Profile'] });
  const isChange = pending !== null && pending.email !== member.primaryEmail;
  return (
    <Flex direction="column" align="flex-start" gap="1" color="fg.muted" textStyle="sm">
      {member.emailVerified ? (
        <Flex as="span" align="center" gap="1">
          <BadgeCheck size={14} aria-hidden />
          {t`Email verified`}
        </Flex>
      ) : (
        <Flex as="span" align="center" gap="1" color="warning.fg">
          <TriangleAlert size={14} aria-hidden />
          {t`Email not verified`}
        </Flex>
      )}
      {isChange && (
        <Text as="span" overflowWrap="anywhere">{t`Changes to ${pending.email} once that address is verified`}</Text>
      )}
      {isChange && canCancel && (
        <Button
          variant="outline"
          size="xs"
          loading={isPending}
          onClick={() => void run({ body: { suid: member.suid } }).catch(() => undefined)}
        >
          {t`Cancel change`}
        </Button>
      )}
    </Flex>
  );
}

interface MemberHeaderProps {
  member: Member;
  pendingEmail: PendingEmail | null;
  groups: readonly GroupName[];
  rights: MemberRights;
  onAct: (name: MemberDialogName) => void;
}

/** Shows the member's details and actions. */
export function MemberHeader({ member, pendingEmail, groups, rights, onAct }: MemberHeaderProps) {
  const attribute = usePrimaryAttribute();
  const isOff = isGreyedOut(member.accountStatus);
  const name = fullNameOf(member);
  return (
    <Flex
      as="section"
      aria-label={t`Profile`}
      direction="column"
      gap="5"
      p="5"
      bg={isOff ? 'bg.subtle' : 'bg.panel'}
      borderWidth="1px"
      borderRadius="l3"
    >
      <Flex gap="4" align="flex-start" wrap="wrap">
        <InitialsAvatar name={name} size="lg" isGrey={isOff} />
        <Box flex="1 1 16rem" minW="0">
          <Flex align="center" gap="3" wrap="wrap">
            <Heading as="h1" size="xl" overflowWrap="anywhere" color={isOff ? 'fg.muted' : undefined}>
              {name}
            </Heading>
            <StatusBadge {...statusBadge(member.accountStatus)} />
          </Flex>
          <Text color="fg.muted">
            {joinWithDots(member.roleName, member.isManager && t`Manager`, rights.isSelf && t`You`)}
          </Text>
        </Box>
        <Actions member={member} rights={rights} onAct={onAct} />
      </Flex>
      <StatusNote member={member} />
      {!rights.hasAuthority && member.accountStatus !== 'deleted' && (
        <AlertLine tone="info">{t`You can't edit this person, because they have permissions you don't.`}</AlertLine>
      )}
      <chakra.dl display="flex" flexWrap="wrap" columnGap="10" rowGap="4" pt="5" borderTopWidth="1px">
        <Fact
          label={t`Email`}
          copy={member.primaryEmail}
          below={<EmailState member={member} pending={pendingEmail} canCancel={rights.canEdit} />}
        >
          {member.primaryEmail}
        </Fact>
        <Fact label={capitalize(attribute)} copy={member.primaryAttr}>
          <chakra.span textStyle="code">{member.primaryAttr}</chakra.span>
        </Fact>
        <Fact label={t`Last seen`}>{member.lastSeen ? formatDateTime(member.lastSeen) : t`Never`}</Fact>
        {groups.length > 0 && (
          <Fact label={t`Groups`}>{joinWithDots(...groups.map(({ displayName }) => displayName))}</Fact>
        )}
      </chakra.dl>
    </Flex>
  );
}

interface FactProps {
  label: string;
  copy?: string;
  /** Content below the value, e.g. its verification status. */
  below?: ReactNode;
  children: ReactNode;
}

function Fact({ label, copy, below, children }: FactProps) {
  return (
    <Box minW="0">
      <Text as="dt" textStyle="sm" color="fg.muted">
        {label}
      </Text>
      <Flex as="dd" align="center" gap="1" minH="7" fontWeight="medium" overflowWrap="anywhere">
        {children}
        {copy && <CopyButton text={copy} label={t`Copy ${label}`} size="xs" />}
      </Flex>
      {below && <dd>{below}</dd>}
    </Box>
  );
}

function StatusNote({ member }: { member: Member }) {
  if (member.accountStatus === 'inactive')
    return <AlertLine tone="info">{t`This member can't sign in until they are enabled.`}</AlertLine>;
  if (member.accountStatus === 'deleted')
    return <AlertLine tone="info">{t`This member has been deleted. Only their history remains.`}</AlertLine>;
  return null;
}

function Actions({ member, rights, onAct }: Omit<MemberHeaderProps, 'pendingEmail' | 'groups'>) {
  const isActive = member.accountStatus === 'active';
  return (
    <Flex gap="2.5" wrap="wrap">
      {rights.canEdit && (
        <Button variant="outline" onClick={() => onAct('edit')}>
          <Pencil />
          {t`Edit`}
        </Button>
      )}
      {rights.canEditDetails && (
        <Button variant="outline" onClick={() => onAct('details')}>
          <IdCard />
          {t`Edit details`}
        </Button>
      )}
      {rights.canManage && (
        <ExplainedButton
          obstacle={rights.isSelf ? t`You can't disable yourself` : undefined}
          variant="outline"
          onClick={() => onAct('access')}
        >
          {isActive ? <UserRoundX /> : <UserRoundCheck />}
          {isActive ? t`Disable` : t`Enable`}
        </ExplainedButton>
      )}
      {rights.canDelete && (
        <ExplainedButton
          obstacle={rights.isSelf ? t`You can't delete yourself` : undefined}
          variant="outline"
          color="fg.error"
          onClick={() => onAct('delete')}
        >
          <Trash2 />
          {t`Delete`}
        </ExplainedButton>
      )}
    </Flex>
  );
}
