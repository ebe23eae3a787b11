import { Box, Flex, Skeleton, Text } from '@chakra-ui/react';
import { type Member, previewApp } from '@orchestrate/shared';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useRead } from '../../../lib/api/use-read.ts';
import { fullNameOf } from '../../../lib/format/full-name.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { useCan } from '../../../lib/session/session.ts';
import { MemberChoice } from '../../../members/member-choice.tsx';
import { AccordionSection } from '../../../ui/accordion-section.tsx';
import { AlertLine } from '../../../ui/alert-line.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { useOrgCode } from '../use-applications.ts';
import { AppPreviewValues } from './app-preview-values.tsx';

interface AppPreviewSectionProps {
  appId: string;
  name: string;
}

/** What the application would be told about a member, by the saved settings. */
export function AppPreviewSection({ appId, name }: AppPreviewSectionProps) {
  return (
    <AccordionSection title={`What ${name} receives`} hint="A preview for a member of your choice">
      <Preview appId={appId} />
    </AccordionSection>
  );
}

function Preview({ appId }: { appId: string }) {
  const orgCode = useOrgCode();
  const maySearch = useCan('SEARCH_USER');
  const { isDirty } = useFormContext<AppForm>().formState;
  const [member, setMember] = useState<Member>();
  const input = orgCode ? { params: { orgCode, appId }, query: { suid: member?.suid } } : null;
  const { data, refusal } = useRead(previewApp, input);
  return (
    <Flex direction="column" gap="5">
      {maySearch && <MemberChoice label="Choose another member" noun="another member" onChoose={setMember} />}
      <Text color="fg.muted">
        When{' '}
        <Box as="strong" color="fg">
          {member ? fullNameOf(member) : 'you'}
        </Box>{' '}
        {member ? 'signs' : 'sign'} in now. Nothing here is signed, so nobody can use it.
      </Text>
      {isDirty && <AlertLine tone="info">Changes appear here once they are saved.</AlertLine>}
      {data && !data.mayUse && (
        <AlertLine tone="info">
          {member ? 'They' : 'You'} may not use it: see Access. Otherwise it would receive:
        </AlertLine>
      )}
      {data && <AppPreviewValues preview={data.preview} />}
      {!data && refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
      {!data && !refusal && <Skeleton h="48" borderRadius="l2" role="status" aria-label="Loading preview" />}
    </Flex>
  );
}
