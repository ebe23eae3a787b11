import { Box, Button, chakra, Flex, Skeleton, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  type AppProvisioning,
  deleteAppProvisioning,
  fullNameOf,
  type Group,
  getAppProvisioning,
  listGroups,
  type Member,
  previewAppProvisioning,
  sendAllProvisioning,
} from '@orchestrate/shared';
import { Pencil, Send, Trash2, UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { MemberPicker } from '#features/members/shared/member-choice.tsx';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTime, formatDateTimeSeconds } from '#lib/format/dates.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useCan } from '#lib/session/session.ts';
import { useOpenIfInterrupted } from '#ui/editing/interrupted.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { AccordionSection } from '#ui/list/accordion-section.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { RawText } from '#ui/text/raw-text.tsx';
import { ConfirmWrite } from '../confirm-write.tsx';
import { useOrgCode } from '../use-applications.ts';
import { ProvisioningLog } from './provisioning-log.tsx';
import { ServiceDialog } from './service-dialog.tsx';

interface ProvisionedPreviewProps {
  appId: string;
  hasGroups: boolean;
}

/** Previews the SCIM resource of a member or group under the saved settings. */
function ProvisionedPreview({ appId, hasGroups }: ProvisionedPreviewProps) {
  const hint = hasGroups
    ? t`A preview for a member or a group of your choice`
    : t`A preview for a member of your choice`;
  return (
    <AccordionSection title={t`Data sent to the service`} hint={hint}>
      <Preview appId={appId} hasGroups={hasGroups} />
    </AccordionSection>
  );
}

function Preview({ appId, hasGroups }: ProvisionedPreviewProps) {
  const orgCode = useOrgCode();
  const maySearch = useCan('SEARCH_USER');
  const [member, setMember] = useState<Member>();
  const [group, setGroup] = useState<Group>();
  const { data, refusal } = useRead(previewAppProvisioning, {
    params: { orgCode, appId },
    query: group ? { groupId: group.groupId } : { suid: member?.suid },
  });
  return (
    <Flex direction="column" gap="5">
      {maySearch && (
        <MemberPicker
          label={t`Choose another member`}
          onChoose={(chosen) => {
            setMember(chosen);
            setGroup(undefined);
          }}
        />
      )}
      {hasGroups && <GroupSelect group={group} onChange={setGroup} />}
      <Text color="fg.muted">
        <Trans>
          For{' '}
          <Box as="strong" color="fg">
            {group ? group.displayName : member ? fullNameOf(member) : t`you`}
          </Box>
          , with the current data.
        </Trans>
      </Text>
      {data && data.resource === null && (
        <AlertLine tone="info">
          {group
            ? t`Nothing is sent, because this group isn't provisioned to the service.`
            : t`Nothing is sent, because this person isn't provisioned to the service.`}
        </AlertLine>
      )}
      {data && data.resource !== null && (
        <RawText label={t`Data sent to the service`} text={JSON.stringify(data.resource, null, 2)} />
      )}
      {!data && refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
      {!data && !refusal && <Skeleton h="48" borderRadius="l2" role="status" aria-label={t`Loading preview`} />}
    </Flex>
  );
}

interface GroupSelectProps {
  group: Group | undefined;
  onChange: (group: Group | undefined) => void;
}

function GroupSelect({ group, onChange }: GroupSelectProps) {
  const groups = useRead(listGroups, {}).data?.Items ?? [];
  return (
    <FormField label={t`Or choose a group`}>
      <Select
        value={group?.groupId ?? ''}
        onChange={({ target }) => onChange(groups.find(({ groupId }) => groupId === target.value))}
      >
        <option value="">{t`No group (preview a member)`}</option>
        {groups.map(({ groupId, displayName }) => (
          <option key={groupId} value={groupId}>
            {displayName}
          </option>
        ))}
      </Select>
    </FormField>
  );
}

/** Edits an application's SCIM service and shows its status. */
export default function ProvisioningTab({ appId }: { appId: string }) {
  const params = { orgCode: useOrgCode(), appId };
  const [isEditing, setIsEditing] = useOpenIfInterrupted(`provisioning ${appId}`);
  const { data, refusal, refetch } = useRead(getAppProvisioning, { params });
  if (!data && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!data) return <Skeleton h="56" borderRadius="l3" role="status" aria-label={t`Loading provisioning`} />;
  const { provisioning, attributes } = data;
  return (
    <Flex direction="column" gap="6">
      {provisioning ? (
        <>
          <Service
            appId={appId}
            provisioning={provisioning}
            onEdit={() => setIsEditing(true)}
            onChanged={() => void refetch()}
          />
          <ProvisionedPreview appId={appId} hasGroups={provisioning.sendGroups} />
          <ProvisioningLog appId={appId} />
        </>
      ) : (
        <Section title={t`Provisioning`}>
          <EmptyState
            icon={UsersRound}
            title={t`Provisioning isn't set up`}
            description={t`If the application has a SCIM service, the portal creates, updates and removes its people and groups there.`}
            action={<Button onClick={() => setIsEditing(true)}>{t`Set up provisioning`}</Button>}
          />
        </Section>
      )}
      <ServiceDialog
        appId={appId}
        saved={provisioning}
        attributes={attributes}
        isOpen={isEditing}
        onClose={() => setIsEditing(false)}
        onSaved={() => void refetch()}
      />
    </Flex>
  );
}

interface ServiceProps {
  appId: string;
  provisioning: AppProvisioning;
  onEdit: () => void;
  onChanged: () => void;
}

function Service({ appId, provisioning, onEdit, onChanged }: ServiceProps) {
  const params = { orgCode: useOrgCode(), appId };
  const [isConfirming, setIsConfirming] = useState(false);
  const all = useWrite(sendAllProvisioning);
  const { url, people, groups, stoppedAt, stopReason, pausedUntil } = provisioning;
  const sendAll = async () => {
    try {
      await all.run({ params, body: {} });
    } catch {
      // The tab already displays the reason from `refusal`.
      return;
    }
    onChanged();
    toast.success(t`Everyone will be resent`);
  };
  return (
    <Section
      title={t`Provisioning`}
      aside={
        <Flex gap="2.5" wrap="wrap">
          <Button size="sm" variant="outline" loading={all.isPending} onClick={() => void sendAll()}>
            <Send aria-hidden />
            {t`Resend everyone`}
          </Button>
          <Button size="sm" variant="outline" onClick={onEdit}>
            <Pencil aria-hidden />
            {t`Edit`}
          </Button>
        </Flex>
      }
    >
      <Flex direction="column" gap="5">
        {stoppedAt && (
          <AlertLine>
            {t`The portal stopped sending on ${formatDateTime(stoppedAt)}: ${stopReason}. Save the settings again once the problem is fixed.`}
          </AlertLine>
        )}
        {all.refusal && <AlertLine>{resultText(all.refusal)}</AlertLine>}
        <Flex as="dl" columnGap="10" rowGap="4" wrap="wrap">
          <Fact label={t`Status`}>
            <StatusBadge {...stateOf(provisioning)} />
          </Fact>
          <Fact label={t`Service`}>{url}</Fact>
          <Fact label={t`Up to date`}>{countText(people.current, groups.current)}</Fact>
          <Fact label={t`Waiting`}>
            {pausedUntil && people.waiting > 0
              ? t`${countText(people.waiting, groups.waiting)}, not before ${formatDateTimeSeconds(pausedUntil)}`
              : countText(people.waiting, groups.waiting)}
          </Fact>
          <Fact label={t`Rejected`}>{countText(people.failed, groups.failed)}</Fact>
        </Flex>
        <Flex>
          <Button size="sm" variant="ghost" color="fg.error" onClick={() => setIsConfirming(true)}>
            <Trash2 aria-hidden />
            {t`Remove provisioning`}
          </Button>
        </Flex>
      </Flex>
      <ConfirmWrite
        entry={deleteAppProvisioning}
        input={isConfirming ? { params } : undefined}
        onClose={() => setIsConfirming(false)}
        onDone={onChanged}
        done={t`Provisioning removed`}
        title={t`Remove provisioning?`}
        verb={t`Remove provisioning`}
        isDestructive
        consequences={[
          t`The portal stops sending, and the log is deleted.`,
          t`Existing users at the service aren't changed.`,
        ]}
      />
    </Section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Flex direction="column" gap="1">
      <chakra.dt textStyle="xs" fontWeight="medium" color="fg.muted">
        {label}
      </chakra.dt>
      <chakra.dd overflowWrap="anywhere">{children}</chakra.dd>
    </Flex>
  );
}

/** Formats the number of people, and the number of groups if there are any. */
function countText(people: number, groups: number): string {
  if (groups === 0) return formatNumber(people);
  return t`${plural(people, { one: '# person', other: '# people' })}, ${plural(groups, { one: '# group', other: '# groups' })}`;
}

function stateOf({ enabled, stoppedAt, pausedUntil, people }: AppProvisioning) {
  if (stoppedAt) return { status: t`Stopped`, tone: 'danger', needsAction: true } as const;
  if (!enabled) return { status: t`Off`, tone: 'neutral' } as const;
  if (pausedUntil && people.waiting > 0)
    return { status: t({ message: 'Paused', context: 'provisioning' }), tone: 'warning' } as const;
  return { status: t`On`, tone: 'success' } as const;
}
