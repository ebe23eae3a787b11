import { Box, chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { TabList } from '../list/tab-list.tsx';

type Form = 'html' | 'text';

const TABS = [
  { value: 'html', label: 'HTML' },
  { value: 'text', label: t`Text` },
] as const satisfies { value: Form; label: string }[];

/** Opens links in a new tab, because pages of the portal can't be framed. */
const inFrame = (html: string) => html.replace(/<head[^>]*>/i, '$&<base target="_blank">');

/** An email, or a text message, which has no HTML. */
interface Message {
  subject: string;
  html: string;
  text: string;
}

/** A message as plain text, or as HTML in a frame without scripts. */
export function MessageBody({ message }: { message: Message }) {
  const [form, setForm] = useState<Form>('html');
  if (!message.html) return <PlainText text={message.text} />;
  return (
    <TabList isCompact label={t`Message format`} tabs={TABS} value={form} onChange={setForm}>
      {form === 'html' ? (
        <chakra.iframe
          title={message.subject}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={inFrame(message.html)}
          w="full"
          h="min(34rem, 72dvh)"
          borderWidth="1px"
          borderRadius="l2"
          bg="bg.subtle"
        />
      ) : (
        <PlainText text={message.text} />
      )}
    </TabList>
  );
}

function PlainText({ text }: { text: string }) {
  return (
    <Box borderWidth="1px" borderRadius="l2" bg="bg.subtle" p="5">
      <chakra.pre textStyle="code" fontSize="sm" whiteSpace="pre-wrap" overflowWrap="anywhere">
        {text}
      </chakra.pre>
    </Box>
  );
}
