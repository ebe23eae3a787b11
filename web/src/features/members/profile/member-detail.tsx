import { Box, Button, Flex, Grid } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  type Device,
  fullNameOf,
  type GroupName,
  LIMITS,
  listMemberActivity,
  type Member,
  type PendingEmail,
} from '@orchestrate/shared';
import { Lock, UserRoundX } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { LATEST_COUNT, LatestActivity } from '#features/audit/shared/latest-activity.tsx';
import {
  type DevicePermissions,
  OTHERS_DEVICE_PERMISSIONS,
  OWN_DEVICE_PERMISSIONS,
} from '#features/devices/shared/device-permissions.ts';
import { deviceLabel } from '#features/devices/shared/device-rules.ts';
import { DevicesPanel } from '#features/devices/shared/devices-panel.tsx';
import { useMemberDevices } from '#features/devices/shared/use-member-devices.ts';
import { LatestSignIns } from '#features/sign-ins/shared/latest-logins.tsx';
import { SignInsPanel } from '#features/sign-ins/shared/sign-ins-panel.tsx';
import { decodeMemberSegment, type MemberSegment, memberAddress } from '#lib/address/member-address.ts';
import { usePathName } from '#lib/address/path-names.ts';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { useRead } from '#lib/api/use-read.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { hasPermission, useCan, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { AccordionSection } from '#ui/list/accordion-section.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { deviceTypeLabel } from '#ui/text/device-icon.tsx';
import { ActivationCodePanel } from '../activation/activation-code-panel.tsx';
import { activationOf, activationStateOf } from '../activation/activation-state.ts';
import { MemberDialogs, useMemberDialogs } from '../dialogs/member-dialogs.tsx';
import { hasCodeRights, type MemberRights } from '../member-rights.ts';
import { parseStatus } from '../shared/member-status.ts';
import { addRecentMember } from '../shared/recent-members.ts';
import { useMemberRights } from '../use-member-rights.ts';
import { LinkedAccounts } from './linked-accounts.tsx';
import { MemberHeader } from './member-header.tsx';
import { COLUMNS, MemberSkeleton } from './member-skeleton.tsx';

interface ActivationCodesProps {
  member: Member;
  devices: readonly Device[];
  rights: MemberRights;
}

/** Shows a member's activation codes for both apps, side by side if there is space. */
function ActivationCodes(props: ActivationCodesProps) {
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', xs: 'repeat(2, minmax(0, 1fr))' }}>
      <Box p="5">
        <ActivationCodePanel {...props} app="mobile" />
      </Box>
      <Box p="5" borderStartWidth={{ base: '0', xs: '1px' }} borderTopWidth={{ base: '1px', xs: '0' }}>
        <ActivationCodePanel {...props} app="desktop" />
      </Box>
    </Grid>
  );
}

/** The activation codes of a member who doesn't need one, in one line that can be expanded. */
function CollapsedCodes(props: ActivationCodesProps) {
  const { member, devices } = props;
  const codes = APPS.map((app) => ({ app, state: activationStateOf(activationOf(member, app)) }));
  const valid = codes.filter(({ state }) => state === 'valid').map(({ app }) => deviceTypeLabel[app]);
  const isLocked = codes.some(({ state }) => state === 'locked');
  const device = devices.find(({ status }) => status === 'active');
  const otherwise = device ? t`Not needed: signs in with ${deviceLabel(device)}` : t`No valid code`;
  const summary = member.accountStatus === 'inactive' ? t`Enable this member first` : otherwise;
  return (
    <AccordionSection
      title={t`Activation codes`}
      hint={isLocked ? t`Account Locked` : valid.length > 0 ? t`Valid: ${joinWithDots(...valid)}` : summary}
      isOneLine
      isFlush
      isOpenAtFirst={isLocked}
    >
      <ActivationCodes {...props} />
    </AccordionSection>
  );
}

const APPS = ['mobile', 'desktop'] as const;

function devicePermissionsOf({ isSelf, hasAuthority }: MemberRights): DevicePermissions | undefined {
  if (!hasAuthority) return undefined;
  return isSelf ? OWN_DEVICE_PERMISSIONS : OTHERS_DEVICE_PERMISSIONS;
}

interface MemberDetailProps {
  /** Path of the list from which the member is opened. */
  listPath: string;
  pathTo: (segment: string) => string;
}

/** Shows the member in the URL, with profile, activation codes, devices and recent sign-ins. */
function MemberDetail(props: MemberDetailProps) {
  const { id = '' } = useParams();
  const named = decodeMemberSegment(id);
  return named ? <NamedMember {...props} named={named} /> : <NoSuchMember listPath={props.listPath} />;
}

function NamedMember({ named, ...props }: MemberDetailProps & { named: MemberSegment }) {
  const [search] = useSearchParams();
  // Shares its request with the device list, so that both have the same state and age.
  const { reply, refusal, refetch } = useMemberDevices(named.suid);
  // Use the name in the URL only until the member is loaded.
  usePathName(useMemberPath(), reply ? fullNameOf(reply.profile) : refusal && t`Member`);
  if (refusal?.status === 404 || refusal?.status === 400) return <NoSuchMember listPath={props.listPath} />;
  if (!reply && refusal?.status === 403)
    return (
      <EmptyState
        level="h1"
        icon={Lock}
        title={t`You don't have permission to view this member`}
        description={resultText(refusal)}
      />
    );
  if (!reply && refusal) return <RefusalState level="h1" refusal={refusal} onRetry={refetch} />;
  if (!reply) return <MemberSkeleton name={named.fullName || t`Member`} status={parseStatus(search.get('status'))} />;
  const { profile, pendingEmail, groups, devices } = reply;
  return <LoadedMember {...props} member={profile} pendingEmail={pendingEmail} groups={groups} devices={devices} />;
}

/** Returns the path of the member's page without nested steps, as used by the breadcrumbs. */
const useMemberPath = () => `/${useLocation().pathname.split('/').filter(Boolean).slice(0, 2).join('/')}`;

function LastLogins({ member }: { member: Member }) {
  return (
    <Section title={t`Last ${LIMITS.memberLoginHistoryCount} sign-ins`} isFlush>
      <LatestSignIns primaryAttr={member.primaryAttr} count={LIMITS.memberLoginHistoryCount} />
    </Section>
  );
}

/** Lists recent changes. Seeing changes to other members requires permission to search. */
function RecentChanges({ suid }: { suid: string }) {
  const isSelf = useSession()?.profile.suid === suid;
  const maySearch = useCan('SEARCH_USER');
  return (isSelf || maySearch) && <MemberActivity suid={suid} />;
}

function MemberActivity({ suid }: { suid: string }) {
  const read = useRead(listMemberActivity, { query: { suid, pageSize: LATEST_COUNT } });
  return <LatestActivity read={read} all={{ suid }} />;
}

function NoSuchMember({ listPath }: { listPath: string }) {
  return (
    <EmptyState
      level="h1"
      icon={UserRoundX}
      title={t`Member not found`}
      description={t`The link might be wrong, or you don't have permission to view this member. Check the link or go back to the list.`}
      action={
        <Button asChild variant="outline">
          <Link to={listPath}>{t`Back to the list`}</Link>
        </Button>
      }
    />
  );
}

interface LoadedMemberProps extends MemberDetailProps {
  member: Member;
  pendingEmail: PendingEmail | null;
  groups: readonly GroupName[];
  devices: readonly Device[];
}

function LoadedMember({ member, pendingEmail, groups, devices, listPath, pathTo }: LoadedMemberProps) {
  const profile = useSession()?.profile;
  const dialogs = useMemberDialogs();
  const goToNextStep = useGuardedNavigate();
  const { state } = useLocation();
  const rights = useMemberRights(member);
  // Managers who aren't administrators don't need the codes. Administrators see at least the codes' status.
  const hasCodes =
    hasPermission(profile, 'SEARCH_USER') || hasCodeRights(rights, 'mobile') || hasCodeRights(rights, 'desktop');
  // Members without a device need a code next, unless they must be enabled first.
  const needsCode = hasCodes && devices.length === 0 && member.accountStatus !== 'inactive';
  const codes = { member, devices, rights };
  const isDeleted = member.accountStatus === 'deleted';
  useEffect(() => addRecentMember({ ...member, fullName: fullNameOf(member) }), [member]);
  return (
    <Flex direction="column" gap="6">
      <title>{t`${fullNameOf(member)} · Orchestrate`}</title>
      <MemberHeader
        member={member}
        pendingEmail={pendingEmail}
        groups={groups}
        rights={rights}
        onAct={(name) => dialogs.ask(name, member)}
      />
      {isDeleted ? (
        <>
          <LastLogins member={member} />
          <RecentChanges suid={member.suid} />
        </>
      ) : (
        <Grid gap="6" alignItems="start" css={COLUMNS}>
          <Flex direction="column" gap="6" minW="0">
            {needsCode && (
              <Section title={t`Activation codes`} isFlush>
                <ActivationCodes {...codes} />
              </Section>
            )}
            <DevicesPanel
              title={t`Connected devices`}
              suid={member.suid}
              permissions={devicePermissionsOf(rights)}
              withoutDevices={{
                description: t`${member.firstName} can't sign in until they register a device with an activation code.`,
              }}
            />
            <LinkedAccounts suid={member.suid} canRemove={rights.canEdit} />
            {hasCodes && !needsCode && <CollapsedCodes {...codes} />}
            <RecentChanges suid={member.suid} />
          </Flex>
          <Flex direction="column" gap="6" minW="0">
            <LastLogins member={member} />
            {rights.canEndSignIns && <SignInsPanel member={{ suid: member.suid, fullName: fullNameOf(member) }} />}
          </Flex>
        </Grid>
      )}
      <MemberDialogs
        dialogs={dialogs}
        onEdited={(edited) => goToNextStep(memberAddress(pathTo, edited), { replace: true, state })}
        onDeleted={() => goToNextStep(`${listPath}${listSearchOf(state)}`, { replace: true })}
      />
    </Flex>
  );
}

/**
 * Returns the search of the list from which the member was opened, as passed in the navigation state, or '' if there
 * is none.
 */
function listSearchOf(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('listSearch' in state)) return '';
  return typeof state.listSearch === 'string' ? state.listSearch : '';
}

/** Shows a member of the organisation to users who can search members. */
export function MemberScreen() {
  return <MemberDetail listPath={paths.manageUsers} pathTo={paths.member} />;
}

/** Shows a direct report with the data and actions available to their manager. */
export function DirectReportScreen() {
  return <MemberDetail listPath={paths.directReports} pathTo={paths.directReport} />;
}
