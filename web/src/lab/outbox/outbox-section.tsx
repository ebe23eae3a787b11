import { Box, Button, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { emptyOutbox, LIMITS, OUTBOX_MESSAGES_MAX, type OutboxMessage, readOutbox } from '@orchestrate/shared';
import { ExternalLink, Inbox, Mail, MessageSquareText, Trash2 } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { useIsDesktop } from '#lib/browser/use-media.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { useDebounced } from '#lib/time/timers.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { MessageBody } from '#ui/feedback/message-body.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { CodeDisplay } from '#ui/text/code-display.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { useLiveRead } from '../lab-updates.tsx';
import { ListCount } from '../line-list.tsx';
import { RowButton, TwoPanes } from '../two-panes.tsx';

const FILTER = 'to';
const MESSAGE = 'message';

/** Reads and changes the outbox state in the URL: the filter and the open message. */
function useLabAddress() {
  const [search] = useSearchParams();
  const change = useAddressChange();

  return {
    to: search.get(FILTER) ?? '',
    messageId: search.get(MESSAGE),
    filter: (to: string) => change({ [FILTER]: to }),
    /**
     * Adds a history entry if no message is open yet. On a phone, the message replaces the list, so Back returns to
     * the list.
     */
    open: (id: string) => change({ [MESSAGE]: id }, { isStep: search.get(MESSAGE) === null }),
    close: () => change({ [MESSAGE]: null }),
  };
}

/** Returns the messages whose recipient contains `to`, ignoring case. */
function matchingMessages(messages: readonly OutboxMessage[], to: string): OutboxMessage[] {
  const wanted = to.trim().toLowerCase();
  return messages.filter((message) => message.to.toLowerCase().includes(wanted));
}

/** Returns a message's subject, or the first line of an SMS. */
const titleOf = ({ subject, text }: OutboxMessage): string => subject || (text.trim().split('\n')[0] ?? '');

interface MessageListProps {
  messages: readonly OutboxMessage[];
  /** ID of the open message. */
  openId: string | undefined;
  onOpen: (id: string) => void;
}

const icons = { mail: Mail, text: MessageSquareText };
const channelNames = { mail: t`Email`, text: t`Text message` };

/** List of sent messages, newest first. */
function MessageList({ messages, openId, onOpen }: MessageListProps) {
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
      py="2.5"
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
      <Flex direction="column" minW="0" flex="1">
        <Flex align="baseline" gap="3">
          <Text flex="1" minW="0" fontWeight="medium" truncate title={message.to}>
            {message.to}
          </Text>
          <Text textStyle="xs" color="fg.muted" flexShrink="0">
            <RelativeTime at={message.sentAt} isInControl />
          </Text>
        </Flex>
        <Flex align="baseline" gap="3" color="fg.muted">
          <Text flex="1" minW="0" textStyle="sm" truncate title={titleOf(message)}>
            {titleOf(message)}
          </Text>
          {message.code && (
            <Text textStyle="code" fontSize="sm" fontWeight="semibold" color="fg" flexShrink="0">
              {message.code}
            </Text>
          )}
        </Flex>
      </Flex>
    </RowButton>
  );
}

/** Returns why a message hasn't been delivered. */
function waitingText({ channel, attempts, lastError }: OutboxMessage): string {
  if (lastError)
    return t`Not delivered after ${plural(attempts, { one: '# attempt', other: '# attempts' })}: ${lastError}`;
  return channel === 'mail'
    ? t`Stored only here, because no email server has accepted it`
    : t`Stored only here, because text messages aren’t sent`;
}

/** Shows a message's metadata, content, and code and links to copy. */
function MessageReader({ message }: { message: OutboxMessage }) {
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

/**
 * Returns the listed messages to a recipient. If the recipient is a complete address, older messages that aren't in
 * `newest` are included.
 */
function useShownMessages(newest: readonly OutboxMessage[], to: string) {
  const hasMore = newest.length >= OUTBOX_MESSAGES_MAX;
  const address = useDebounced(to.trim(), LIMITS.searchDebounceMs);
  const { data } = useRead(readOutbox, hasMore && address ? { query: { to: address } } : null);
  const found = matchingMessages(newest, to);
  const known = new Set(found.map(({ id }) => id));
  const older = matchingMessages(data?.messages ?? [], to).filter(({ id }) => !known.has(id));
  return { found: [...found, ...older], hasMore };
}

/** The outbox: a list of messages and the selected message. */
export function OutboxSection() {
  const { data, refetch } = useLiveRead(readOutbox, { query: {} });
  const messages = data?.messages ?? [];
  const address = useLabAddress();
  const isDesktop = useIsDesktop();
  const { found, hasMore } = useShownMessages(messages, address.to);
  const linked = [...messages, ...found].find(({ id }) => id === address.messageId);
  // If both panes are visible, open the newest message by default.
  const open = linked ?? (isDesktop ? found[0] : undefined);
  return (
    <>
      <PageHeader
        title={t`Outbox`}
        description={t`Every email and text message the portal has sent, with codes and links.`}
      />
      <TwoPanes
        list={<OutboxPane messages={messages} found={found} hasMore={hasMore} openId={open?.id} refetch={refetch} />}
        chosen={open && <MessageReader message={open} />}
        empty={
          <EmptyState icon={Inbox} title={t`No message selected`} description={t`Select a message to read it here.`} />
        }
        back={{ label: t`All messages`, onBack: address.close }}
      />
    </>
  );
}

interface OutboxPaneProps {
  messages: readonly OutboxMessage[];
  refetch: () => Promise<unknown>;
  found: readonly OutboxMessage[];
  /** True if there are older messages that aren't listed. */
  hasMore: boolean;
  openId: string | undefined;
}

function OutboxPane({ messages, found, hasMore, openId, refetch }: OutboxPaneProps) {
  const { to, filter, open } = useLabAddress();
  const { typed, type, submit } = useTypedQuery(to, filter);
  const { run, isPending } = useWrite(emptyOutbox);
  // With a complete address, only the messages to that address are deleted.
  const address = found.length > 0 && found.every((message) => message.to === to.trim().toLowerCase()) ? to.trim() : '';
  const empty = async () => {
    await run({ query: address ? { to: address } : {} }).catch(() => undefined);
    await refetch();
  };
  return (
    <Section
      title={t`Messages`}
      isFlush
      aside={
        <Flex align="center" gap="2">
          <ListCount of={countText(found.length, messages.length, hasMore)} />
          <ActionButton
            label={address ? t`Delete messages to ${address}` : t`Clear the outbox`}
            disabledReason={messages.length === 0 || isPending ? t`The outbox is already empty` : undefined}
            onClick={() => void empty()}
          >
            <Trash2 />
          </ActionButton>
        </Flex>
      }
    >
      <Flex px="3" py="3" borderBottomWidth="1px">
        <SearchField
          label={t`Filter by address`}
          placeholder={t`Filter by address`}
          maxLength={254}
          value={typed}
          onChange={type}
          onSubmit={submit}
        />
      </Flex>
      {found.length > 0 ? (
        <Flex direction="column" maxH={{ sm: 'max(20rem, calc(100dvh - 20rem))' }}>
          <MessageList messages={found} openId={openId} onOpen={open} />
          {hasMore && (
            <Text
              textStyle="xs"
              color="fg.muted"
              px="5"
              py="3"
              borderTopWidth="1px"
            >{t`Only the newest ${messages.length} are listed. To find older messages, enter the full address.`}</Text>
          )}
        </Flex>
      ) : messages.length > 0 ? (
        <NoMatches
          title={t`No messages to “${to.trim()}”`}
          action={
            <Button variant="outline" size="sm" onClick={() => filter('')}>
              {t`Clear filter`}
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={Inbox}
          title={t`No messages yet`}
          description={t`Invite someone or email an activation code to see the message here.`}
        />
      )}
    </Section>
  );
}

const countText = (found: number, all: number, hasMore: boolean) => {
  if (hasMore) return found === all ? t`Newest ${all}` : t`${found} found`;
  return found === all ? String(all) : t`${found} of ${all}`;
};
