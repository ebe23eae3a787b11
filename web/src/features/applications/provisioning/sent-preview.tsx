import { Box, Flex, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { fullNameOf, type Group, listGroups, type Member, previewAppProvisioning } from '@orchestrate/shared';
import { useState } from 'react';
import { useRead } from '../../../lib/api/use-read.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { useCan } from '../../../lib/session/session.ts';
import { MemberChoice } from '../../../members/member-choice.tsx';
import { AccordionSection } from '../../../ui/accordion-section.tsx';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { RawText } from '../../../ui/raw-text.tsx';
import { Select } from '../../../ui/select.tsx';
import { useOrgCode } from '../use-applications.ts';

interface SentPreviewProps {
  appId: string;
  hasGroups: boolean;
}

/** What the SCIM service is sent about a member or a group, by the saved settings. */
export function SentPreview({ appId, hasGroups }: SentPreviewProps) {
  const hint = hasGroups
    ? t`A preview for a member or a group of your choice`
    : t`A preview for a member of your choice`;
  return (
    <AccordionSection title={t`What the service is sent`} hint={hint}>
      <Preview appId={appId} hasGroups={hasGroups} />
    </AccordionSection>
  );
}

function Preview({ appId, hasGroups }: SentPreviewProps) {
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
        <MemberChoice
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
          About{' '}
          <Box as="strong" color="fg">
            {group ? group.displayName : member ? fullNameOf(member) : t`you`}
          </Box>
          , as things are now.
        </Trans>
      </Text>
      {data && data.resource === null && (
        <AlertLine tone="info">
          {group ? t`Nothing: the service should not have it.` : t`Nothing: the service should not have them.`}
        </AlertLine>
      )}
      {data && data.resource !== null && (
        <RawText label={t`What the service is sent`} text={JSON.stringify(data.resource, null, 2)} />
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
    <FormField label={t`Or a group`}>
      <Select
        value={group?.groupId ?? ''}
        onChange={({ target }) => onChange(groups.find(({ groupId }) => groupId === target.value))}
      >
        <option value="">{t`No group: a member`}</option>
        {groups.map(({ groupId, displayName }) => (
          <option key={groupId} value={groupId}>
            {displayName}
          </option>
        ))}
      </Select>
    </FormField>
  );
}
