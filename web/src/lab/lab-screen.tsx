import { Box, Button, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { emptyOutbox, type OutboxMessage } from '@orchestrate/shared';
import { ArrowLeft, FlaskConical, Inbox, Moon, Smartphone, Sun, Trash2 } from 'lucide-react';
import { useTypedQuery } from '../lib/address/use-typed-query.ts';
import { useWrite } from '../lib/api/use-endpoint.ts';
import { useColourMode } from '../lib/browser/colour-mode.ts';
import { useIsDesktop } from '../lib/browser/use-media.ts';
import { paths } from '../paths.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Section } from '../ui/section.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { MessageList } from './message-list.tsx';
import { MessageReader } from './message-reader.tsx';
import { ResetPanel } from './reset-panel.tsx';
import { useLabAddress } from './use-lab-address.ts';
import { useShownMessages } from './use-shown-messages.ts';

interface LabScreenProps {
  messages: readonly OutboxMessage[];
  isReconnecting: boolean;
  refetch: () => Promise<unknown>;
}

/** The outbox in two panes, one at a time on a phone, and the mock controls. */
export function LabScreen({ messages, isReconnecting, refetch }: LabScreenProps) {
  const address = useLabAddress();
  const isDesktop = useIsDesktop();
  const { found, hasMore } = useShownMessages(messages, address.to);
  const asked = [...messages, ...found].find(({ id }) => id === address.messageId);
  // With both panes visible, the newest message is shown until another one is chosen.
  const open = asked ?? (isDesktop ? found[0] : undefined);
  return (
    <Flex direction="column" flex="1">
      <title>Lab · Orchestrate</title>
      <LabHeader />
      <Grid
        as="main"
        flex="1"
        alignItems="start"
        gap="5"
        p={{ base: '4', sm: '6' }}
        templateColumns={{ base: 'minmax(0, 1fr)', sm: '20rem minmax(0, 1fr)', md: '22rem minmax(0, 1fr) 20rem' }}
      >
        {(isDesktop || !open) && (
          <OutboxPane
            messages={messages}
            found={found}
            hasMore={hasMore}
            openId={open?.id}
            isReconnecting={isReconnecting}
            refetch={refetch}
          />
        )}
        {(isDesktop || open) && (
          <Box minW="0">
            {!isDesktop && (
              <Button variant="ghost" size="sm" mb="3" onClick={address.close}>
                <ArrowLeft />
                All messages
              </Button>
            )}
            <Section>
              {open ? (
                <MessageReader message={open} />
              ) : (
                <Text color="fg.muted" py="10" textAlign="center">
                  Choose a message to read it here.
                </Text>
              )}
            </Section>
          </Box>
        )}
        <Grid gap="5" gridColumn={{ sm: '1 / -1', md: 'auto' }} templateColumns={{ sm: '1fr 1fr 1fr', md: '1fr' }}>
          <ClockPanel />
          <FaultsPanel />
          <ResetPanel />
        </Grid>
      </Grid>
    </Flex>
  );
}

function LabHeader() {
  const { mode, toggle } = useColourMode();
  return (
    <Flex
      as="header"
      align="center"
      gap="3"
      minH="header"
      px={{ base: '4', sm: '6' }}
      bg="bg.panel"
      borderBottomWidth="1px"
    >
      <Box color="fg.muted">
        <FlaskConical size={20} aria-hidden />
      </Box>
      <Box flex="1" minW="0">
        <Heading as="h1" size="md">
          Lab
        </Heading>
        <Text textStyle="xs" color="fg.muted" truncate hideBelow="xs">
          What the portal sends, and what stands in for the world outside
        </Text>
      </Box>
      <Button asChild variant="ghost" size="sm">
        <a href={paths.authenticator} target="_blank" rel="noreferrer">
          <Smartphone aria-hidden />
          Authenticator
        </a>
      </Button>
      <ActionButton label={mode === 'dark' ? 'Light mode' : 'Dark mode'} size="md" onClick={toggle}>
        {mode === 'dark' ? <Sun /> : <Moon />}
      </ActionButton>
    </Flex>
  );
}

interface OutboxPaneProps extends LabScreenProps {
  found: readonly OutboxMessage[];
  /** Says that there are older messages that are not listed. */
  hasMore: boolean;
  openId: string | undefined;
}

function OutboxPane({ messages, found, hasMore, openId, isReconnecting, refetch }: OutboxPaneProps) {
  const { to, filter, open } = useLabAddress();
  const { typed, type, submit } = useTypedQuery(to, filter);
  const { run, isPending } = useWrite(emptyOutbox);
  const empty = async () => {
    await run({}).catch(() => undefined);
    await refetch();
  };
  return (
    <Section
      title="Outbox"
      isFlush
      aside={
        <Flex align="center" gap="2">
          <Text role="status" textStyle="sm" color="fg.muted">
            {isReconnecting ? 'Reconnecting…' : countText(found.length, messages.length, hasMore)}
          </Text>
          <ActionButton
            label="Empty the outbox"
            disabledReason={messages.length === 0 || isPending ? 'There is nothing in it' : undefined}
            onClick={() => void empty()}
          >
            <Trash2 />
          </ActionButton>
        </Flex>
      }
    >
      <Flex px="3" py="3" borderBottomWidth="1px">
        <SearchField
          label="Filter by address"
          placeholder="Filter by address"
          maxLength={254}
          value={typed}
          onChange={type}
          onSubmit={submit}
        />
      </Flex>
      {found.length > 0 ? (
        <Flex direction="column" maxH={{ base: '70dvh', sm: 'calc(100dvh - 14rem)' }}>
          <MessageList messages={found} openId={openId} onOpen={open} />
          {hasMore && (
            <Text textStyle="xs" color="fg.muted" px="5" py="3" borderTopWidth="1px">
              Only the newest {messages.length} are listed. Older ones are found by their whole address.
            </Text>
          )}
        </Flex>
      ) : messages.length > 0 ? (
        <EmptyState
          icon={Inbox}
          title={`Nothing was sent to “${to.trim()}”`}
          action={
            <Button variant="outline" size="sm" onClick={() => filter('')}>
              Clear filter
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={Inbox}
          title="Nothing has been sent yet"
          description="Invite somebody, or e-mail an activation code: it appears here by itself."
        />
      )}
    </Section>
  );
}

const countText = (found: number, all: number, hasMore: boolean) => {
  if (hasMore) return found === all ? `The newest ${all}` : `${found} found`;
  return found === all ? String(all) : `${found} of ${all}`;
};
