import { Box, Button, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  type Language,
  LIMITS,
  type MailName,
  type MailWords,
  mailWords,
  previewMailText,
  tryMailText,
} from '@orchestrate/shared';
import { Send } from 'lucide-react';
import { useRead } from '../../lib/api/use-read.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toastRefusal } from '../../lib/notices/toast-refusal.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { useDebounced } from '../../lib/time/use-debounced.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { MessageBody } from '../../ui/message-body.tsx';
import { Section } from '../../ui/section.tsx';

interface MailPreviewProps {
  name: MailName;
  language: Language;
  words: MailWords;
  isUnsaved: boolean;
}

/** How the mail looks with what is typed, once typing has paused. */
export function MailPreview({ name, language, words, isUnsaved }: MailPreviewProps) {
  const settled = useDebounced(JSON.stringify(words), LIMITS.searchDebounceMs);
  const body = mailWords.safeParse(JSON.parse(settled)).data;
  const { data, refusal } = useRead(previewMailText, body ? { params: { name }, query: { language }, body } : null);
  const { run, isPending } = useWrite(tryMailText);
  const send = async () => {
    if (!body) return;
    try {
      const { to } = await run({ params: { name }, query: { language }, body });
      toast.success(t`Sent to ${to}`);
    } catch (failure) {
      toastRefusal(failure);
    }
  };
  return (
    <Section
      title={t`Preview`}
      aside={
        <Button
          variant="outline"
          size="sm"
          disabled={!data}
          loading={isPending}
          loadingText={t`Sending`}
          onClick={() => void send()}
        >
          <Send />
          {t`Send me a test`}
        </Button>
      }
    >
      <Text color="fg.muted" mb="4">
        {isUnsaved
          ? t`For an invented person, with what is typed above and not saved yet.`
          : t`For an invented person.`}
      </Text>
      {refusal && <AlertLine tone="warning">{refusal.issues[0]?.message ?? resultText(refusal)}</AlertLine>}
      {!refusal && !data && <Skeleton h="64" borderRadius="l3" role="status" aria-label={t`Loading preview`} />}
      {data && (
        <Box>
          <Text lang={language} fontWeight="medium" mb="3" overflowWrap="anywhere">
            {data.subject}
          </Text>
          <MessageBody message={data} />
        </Box>
      )}
    </Section>
  );
}
