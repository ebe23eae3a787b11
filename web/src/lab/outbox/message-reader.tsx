import { Box, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { OutboxMessage } from '@orchestrate/shared';
import { ExternalLink } from 'lucide-react';
import { formatDateTimeSeconds } from '../../lib/format/dates.ts';
import { CodeDisplay } from '../../ui/code-display.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { MessageBody } from '../../ui/message-body.tsx';
import { titleOf } from './matching-messages.ts';

/** Why the message has not left the portal. */
function waitingText({ channel, attempts, lastError }: OutboxMessage): string {
  if (lastError)
    return t`Not delivered after ${plural(attempts, { one: '# attempt', other: '# attempts' })}: ${lastError}`;
  return channel === 'mail' ? t`Stored here only; no mail server has accepted it` : t`Kept here; the lab is the phone`;
}

/** One message: its facts, its code and links to copy, and what it says. */
export function MessageReader({ message }: { message: OutboxMessage }) {
  const facts = [
    [t({ message: 'To', context: 'recipient' }), message.to],
    [t`Sent`, formatDateTimeSeconds(message.sentAt)],
    message.deliveredAt
      ? [t`Delivered`, formatDateTimeSeconds(message.deliveredAt)]
      : [t`Delivery`, waitingText(message)],
  ] as const;
  return (
    <Flex as="article" aria-label={titleOf(message)} direction="column" gap="5" minW="0">
      <Flex direction="column" gap="3">
        <Heading as="h2" size="md" overflowWrap="anywhere">
          {titleOf(message)}
        </Heading>
        <chakra.dl display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="4" rowGap="1">
          {facts.map(([name, value]) => (
            <Box key={name} display="contents">
              <chakra.dt color="fg.muted">{name}</chakra.dt>
              <chakra.dd overflowWrap="anywhere">{value}</chakra.dd>
            </Box>
          ))}
        </chakra.dl>
      </Flex>
      {message.code && <CodeDisplay code={message.code} label={t`Code`} size="lg" groupSize={3} />}
      {message.links.length > 0 && (
        <chakra.ul aria-label={t`Links`} display="flex" flexDirection="column" gap="2" listStyleType="none">
          {message.links.map((link) => (
            <chakra.li
              key={link}
              display="flex"
              alignItems="center"
              gap="1"
              ps="3"
              pe="1"
              minH="10"
              borderWidth="1px"
              borderRadius="l2"
              bg="bg.subtle"
            >
              <Link href={link} target="_blank" rel="noreferrer" flex="1" minW="0">
                <Text as="span" minW="0" overflowWrap="anywhere">
                  {link}
                </Text>
                <ExternalLink size={14} aria-hidden />
              </Link>
              <CopyButton text={link} label={t`Copy link`} />
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      <MessageBody key={message.id} message={message} />
    </Flex>
  );
}
