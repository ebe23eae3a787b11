import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OutboxMessage } from '@orchestrate/shared';
import { Mail, MessageSquareText } from 'lucide-react';
import { formatDateTime } from '../../lib/format/dates.ts';
import { RowButton } from '../two-panes.tsx';
import { titleOf } from './matching-messages.ts';

interface MessageListProps {
  messages: readonly OutboxMessage[];
  /** The message being read. */
  openId: string | undefined;
  onOpen: (id: string) => void;
}

const icons = { mail: Mail, text: MessageSquareText };
const channelNames = { mail: t`Mail`, text: t`Text message` };

/** What was sent, newest first. */
export function MessageList({ messages, openId, onOpen }: MessageListProps) {
  return (
    <chakra.ul aria-label={t`Messages`} listStyleType="none" overflowY="auto" minH="0">
      {messages.map((message) => (
        <li key={message.id}>
          <MessageRow message={message} isOpen={message.id === openId} onOpen={() => onOpen(message.id)} />
        </li>
      ))}
    </chakra.ul>
  );
}

function MessageRow({ message, isOpen, onOpen }: { message: OutboxMessage; isOpen: boolean; onOpen: () => void }) {
  const Icon = icons[message.channel];
  return (
    <RowButton
      isOpen={isOpen}
      onOpen={onOpen}
      position="relative"
      display="flex"
      gap="3"
      py="3.5"
      transition="background-color 120ms"
      css={{
        '&[aria-current]::before': {
          content: '""',
          position: 'absolute',
          insetInlineStart: '0',
          insetBlock: '0',
          w: '1',
          bg: 'brand.line',
        },
      }}
    >
      <Box pt="0.5" color="fg.muted" flexShrink="0">
        <Icon size={16} strokeWidth={1.75} role="img" aria-label={channelNames[message.channel]} />
      </Box>
      <Flex direction="column" gap="0.5" minW="0" flex="1">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {titleOf(message)}
        </Text>
        <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
          {message.to}
        </Text>
        <Text textStyle="xs" color="fg.muted">
          {formatDateTime(message.sentAt)}
        </Text>
      </Flex>
      {message.code && (
        <Text textStyle="code" fontSize="sm" fontWeight="semibold" pt="0.5">
          {message.code}
        </Text>
      )}
    </RowButton>
  );
}
