import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { emptyOutbox, type OutboxMessage, readOutbox } from '@orchestrate/shared';
import { Inbox, Trash2 } from 'lucide-react';
import { useTypedQuery } from '../../lib/address/use-typed-query.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { useIsDesktop } from '../../lib/browser/use-media.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NothingFound } from '../../ui/nothing-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Section } from '../../ui/section.tsx';
import { useFollowed } from '../lab-news.tsx';
import { ListCount } from '../list-count.tsx';
import { TwoPanes } from '../two-panes.tsx';
import { useLabAddress } from '../use-lab-address.ts';
import { MessageList } from './message-list.tsx';
import { MessageReader } from './message-reader.tsx';
import { useShownMessages } from './use-shown-messages.ts';

/** The outbox in two panes, one at a time on a phone. */
export function OutboxSection() {
  const { data, refetch } = useFollowed(readOutbox, { query: {} });
  const messages = data?.messages ?? [];
  const address = useLabAddress();
  const isDesktop = useIsDesktop();
  const { found, hasMore } = useShownMessages(messages, address.to);
  const asked = [...messages, ...found].find(({ id }) => id === address.messageId);
  // With both panes visible, the newest message is shown until another one is chosen.
  const open = asked ?? (isDesktop ? found[0] : undefined);
  return (
    <>
      <PageHeader
        title={t`Outbox`}
        description={t`Every email and text message that the portal has sent, with its codes and links.`}
      />
      <TwoPanes
        list={<OutboxPane messages={messages} found={found} hasMore={hasMore} openId={open?.id} refetch={refetch} />}
        chosen={open && <MessageReader message={open} />}
        empty={
          <EmptyState
            icon={Inbox}
            title={t`No message to read`}
            description={t`What you choose from the list is read here.`}
          />
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
  /** Says that there are older messages that are not listed. */
  hasMore: boolean;
  openId: string | undefined;
}

function OutboxPane({ messages, found, hasMore, openId, refetch }: OutboxPaneProps) {
  const { to, filter, open } = useLabAddress();
  const { typed, type, submit } = useTypedQuery(to, filter);
  const { run, isPending } = useWrite(emptyOutbox);
  const empty = async () => {
    await run({}).catch(() => undefined);
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
            label={t`Empty the outbox`}
            disabledReason={messages.length === 0 || isPending ? t`It is already empty` : undefined}
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
            >{t`Only the newest ${messages.length} are listed. Older ones are found by their whole address.`}</Text>
          )}
        </Flex>
      ) : messages.length > 0 ? (
        <NothingFound
          title={t`Nothing was sent to “${to.trim()}”`}
          action={
            <Button variant="outline" size="sm" onClick={() => filter('')}>
              {t`Clear filter`}
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={Inbox}
          title={t`Nothing has been sent yet`}
          description={t`Invite someone or email an activation code, and it appears here.`}
        />
      )}
    </Section>
  );
}

const countText = (found: number, all: number, hasMore: boolean) => {
  if (hasMore) return found === all ? t`The newest ${all}` : t`${found} found`;
  return found === all ? String(all) : t`${found} of ${all}`;
};
