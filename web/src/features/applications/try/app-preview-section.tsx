import { Box, Flex, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { fullNameOf, type Member, previewApp } from '@orchestrate/shared';
import { useState } from 'react';
import { useRead } from '../../../lib/api/use-read.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { useCan } from '../../../lib/session/session.ts';
import { MemberChoice } from '../../../members/member-choice.tsx';
import { AccordionSection } from '../../../ui/accordion-section.tsx';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { useOrgCode } from '../use-applications.ts';
import { AppPreviewValues } from './app-preview-values.tsx';
import { useDraftPreview } from './use-draft-preview.ts';

interface AppPreviewSectionProps {
  appId: string;
  name: string;
}

/** What the application would be told about a member, by what is typed. */
export function AppPreviewSection({ appId, name }: AppPreviewSectionProps) {
  return (
    <AccordionSection title={t`What ${name} receives`} hint={t`A preview for a member of your choice`}>
      <Preview appId={appId} />
    </AccordionSection>
  );
}

function Preview({ appId }: { appId: string }) {
  const orgCode = useOrgCode();
  const maySearch = useCan('SEARCH_USER');
  const [member, setMember] = useState<Member>();
  const input = orgCode ? { params: { orgCode, appId }, query: { suid: member?.suid } } : null;
  const saved = useRead(previewApp, input);
  const draft = useDraftPreview(appId, member?.suid);
  const { refusal } = saved;
  const data = draft.data ?? saved.data;
  return (
    <Flex direction="column" gap="5">
      {maySearch && <MemberChoice label={t`Choose another member`} onChoose={setMember} />}
      <Text color="fg.muted">
        {member ? (
          <Trans>
            When{' '}
            <Box as="strong" color="fg">
              {fullNameOf(member)}
            </Box>{' '}
            signs in now. Nothing here is signed, so nobody can use it.
          </Trans>
        ) : (
          <Trans>
            When{' '}
            <Box as="strong" color="fg">
              you
            </Box>{' '}
            sign in now. Nothing here is signed, so nobody can use it.
          </Trans>
        )}
      </Text>
      {draft.isChanged && !draft.refusal && (
        <AlertLine tone="info">{t`With what is typed above, which is not saved yet.`}</AlertLine>
      )}
      {draft.refusal && (
        <AlertLine tone="warning">{t`With the saved settings: what is typed above is not complete yet.`}</AlertLine>
      )}
      {data && !data.mayUse && (
        <AlertLine tone="info">
          {member
            ? t`They don't have access: see Access. With it, the application would receive:`
            : t`You don't have access: see Access. With it, the application would receive:`}
        </AlertLine>
      )}
      {data && (
        <Box aria-busy={draft.isBusy || undefined}>
          <AppPreviewValues preview={data.preview} />
        </Box>
      )}
      {!data && refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
      {!data && !refusal && <Skeleton h="48" borderRadius="l2" role="status" aria-label={t`Loading preview`} />}
    </Flex>
  );
}
