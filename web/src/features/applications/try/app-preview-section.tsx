import { Box, Button, Flex, Skeleton, Text } from '@chakra-ui/react';
import { type Member, previewApp, previewAppDraft, type ReplyOf } from '@orchestrate/shared';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { isEqual } from '../../../editing/three-way.ts';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { fullNameOf } from '../../../lib/format/full-name.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toastRefusal } from '../../../lib/notices/toast-refusal.ts';
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
  const saved = useRead(previewApp, input);
  const draft = useDraft(appId, member?.suid);
  const { refusal } = saved;
  const data = draft.data ?? saved.data;
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
      {draft.mayShow && (
        <Button variant="outline" size="sm" alignSelf="flex-start" onClick={() => void draft.show()}>
          Show with the claims above
        </Button>
      )}
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

/** The preview of claims that have not been saved yet, for as long as they stay as they were when it was asked for. */
function useDraft(appId: string, suid: string | undefined) {
  const orgCode = useOrgCode();
  const { control, formState } = useFormContext<AppForm>();
  const claims = useWatch({ control, name: 'oidc' })?.claims;
  const { run } = useWrite(previewAppDraft);
  const [shown, setShown] = useState<{ of: string; data: ReplyOf<typeof previewAppDraft> }>();
  const of = JSON.stringify([suid, claims]);
  const show = async () => {
    const body = { suid, claims: claims ?? [] };
    try {
      setShown({ of, data: await run({ params: { orgCode, appId }, body }) });
    } catch (failure) {
      toastRefusal(failure);
    }
  };
  const isChanged = !isEqual(claims, formState.defaultValues?.oidc?.claims);
  const mayShow = isChanged && !formState.errors.oidc?.claims;
  return { show, mayShow, data: shown?.of === of ? shown.data : undefined };
}
