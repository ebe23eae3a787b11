import { Box, Button, chakra, Flex, Grid, Heading, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { BookOpenText, Compass, FlaskConical, Moon, Sun } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import useSWR from 'swr';
import { LoadingPage } from '#layout/screen-boundary.tsx';
import { useColourMode } from '#lib/browser/colour-mode.ts';
import { useLabTokenFromHash } from '#lib/session/use-lab-token-from-hash.ts';
import { paths } from '#paths.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { MessagePage } from '#ui/feedback/message-page.tsx';
import { Section } from '#ui/list/section.tsx';
import { Code } from './code.tsx';
import {
  type AsyncApi,
  type ChannelDocument,
  type JsonSchema,
  type Message,
  type OpenApi,
  readDocuments,
} from './documents.ts';
import { FieldList } from './field-list.tsx';
import { MethodMark } from './method-mark.tsx';
import { OperationView } from './operation-view.tsx';
import { type Area, areasOf, referencePaths, slugOf, withoutWhoLabel } from './operations.ts';
import { Overview } from './overview.tsx';
import { ReferenceMenu } from './reference-menu.tsx';
import type { Schemas } from './schema-text.ts';
import { TryChannel } from './try-channel.tsx';
import { ContractSentence } from './worded.tsx';

interface ChannelViewProps {
  name: string;
  channel: ChannelDocument;
  schemas: Schemas;
}

/** A socket's documentation: access, query, messages, and a form for trying it. */
function ChannelView({ name, channel, schemas }: ChannelViewProps) {
  const { address, summary, description, messages, bindings } = channel;
  const { query } = bindings.ws;
  const all = Object.values(messages);
  const sent = all.filter(({ name }) => name.startsWith('State'));
  const received = all.filter(({ name }) => !name.startsWith('State'));
  return (
    <Grid gap="6" alignItems="start" templateColumns="repeat(auto-fit, minmax(min(26rem, 100%), 1fr))">
      <Flex direction="column" gap="5" minW="0">
        <Box>
          <Heading as="h1" size="lg" lineHeight="short">
            {summary}
          </Heading>
          <Flex gap="2" mt="2" align="center">
            <MethodMark method="WS" />
            <chakra.code textStyle="code">{address}</chakra.code>
          </Flex>
          <Text mt="3">
            <chakra.span color="fg.muted">{t`Access:`} </chakra.span>
            <ContractSentence text={withoutWhoLabel(description)} />
          </Text>
        </Box>
        {Object.keys(query.properties ?? {}).length > 0 && (
          <Section title={t({ message: 'Query', context: 'of an address' })} isFlush>
            <FieldList schema={query} schemas={schemas} />
          </Section>
        )}
        <Section title={t`In your code`}>
          <Code label={t`the code that opens ${address}`} text={sampleOf(channel)} />
        </Section>
        <TryChannel key={name} name={name} channel={channel} schemas={schemas} />
      </Flex>
      <Flex direction="column" gap="5" minW="0">
        {mergeAlike(sent).map((payload) => (
          <Section key={JSON.stringify(payload)} title={t`Messages from the portal`} isFlush>
            <FieldList schema={payload} schemas={schemas} />
          </Section>
        ))}
        {received.map(({ name: command, payload }) => (
          <Section key={command} title={t`Messages to the portal`} isFlush>
            <FieldList schema={payload} schemas={schemas} />
          </Section>
        ))}
      </Flex>
    </Grid>
  );
}

/** Merges messages that have the same fields into one schema that allows each field's values from all the messages. */
function mergeAlike(messages: readonly Message[]): JsonSchema[] {
  const groups = Map.groupBy(messages, ({ payload }) => Object.keys(payload.properties ?? {}).join());
  return [...groups.values()].map((group) => {
    const payloads = group.map(({ payload }) => payload);
    const [first = {}] = payloads;
    const fields = Object.entries(first.properties ?? {}).map(([name, field]) => {
      const values = new Set(payloads.flatMap(({ properties }) => properties?.[name]?.enum ?? []));
      return [name, field.enum ? { ...field, enum: [...values] } : field];
    });
    return { ...first, properties: Object.fromEntries(fields) };
  });
}

function sampleOf({ address, bindings: { ws } }: ChannelDocument): string {
  const names = Object.keys(ws.query.properties ?? {});
  const query = names.length > 0 ? `?${names.map((name) => `${name}=\${${name}}`).join('&')}` : '';
  const needsToken = JSON.stringify(ws.headers).includes('bearer.');
  const url = `${window.location.origin.replace(/^http/, 'ws')}${address}${query}`;
  const protocols = needsToken ? "['orchestrate', `bearer.${token}`]" : "'orchestrate'";
  return [
    t`const socket = new WebSocket(\`${url}\`, ${protocols});`,
    'socket.onmessage = ({ data }) => {',
    '  const state = JSON.parse(data); // the complete current state',
    '};',
  ].join('\n');
}

/** Lists an area's operations. */
function AreaView({ area: { name, description, operations } }: { area: Area }) {
  return (
    <Flex direction="column" gap="5" maxW={{ lg: 'text' }}>
      <Box>
        <Heading as="h1" size="xl" tabIndex={-1} outline="0">
          {name}
        </Heading>
        <Text color="fg.muted" mt="1" lineHeight="tall">
          <ContractSentence text={description} />
        </Text>
      </Box>
      <chakra.ul
        listStyleType="none"
        bg="bg.panel"
        borderWidth="1px"
        borderRadius="l3"
        overflow="hidden"
        css={{ '& > li + li': { borderTopWidth: '1px' } }}
      >
        {operations.map(({ id, method, path, summary }) => (
          <chakra.li key={id} position="relative" px="4" py="3" _hover={{ bg: 'bg.subtle' }}>
            <Flex gap="2" align="baseline">
              <MethodMark method={method} />
              <chakra.span
                textStyle="code"
                fontSize="sm"
                overflowWrap="anywhere"
                minW="0"
                css={{ '& a::after': { content: '""', position: 'absolute', inset: '0' } }}
              >
                <Link to={referencePaths.operation(id)}>{path}</Link>
              </chakra.span>
            </Flex>
            <Text textStyle="sm" color="fg.muted" mt="0.5">
              <ContractSentence text={summary} />
            </Text>
          </chakra.li>
        ))}
      </chakra.ul>
    </Flex>
  );
}

interface ReferenceScreenProps {
  api: OpenApi;
  live: AsyncApi;
}

/** The menu next to the selected page. */
function ReferenceScreen({ api, live }: ReferenceScreenProps) {
  const { pathname } = useLocation();
  const areas = areasOf(api);
  return (
    <Flex direction="column" flex="1" minH="0">
      <ReferenceHeader />
      <Flex direction={{ base: 'column', sm: 'row' }} flex="1" align="stretch">
        <ReferenceMenu areas={areas} live={live} />
        <Main key={pathname}>
          <Shown api={api} live={live} areas={areas} pathname={pathname} />
        </Main>
      </Flex>
    </Flex>
  );
}

function Main({ children }: { children: React.ReactNode }) {
  return (
    <Box as="main" flex="1" minW="0" p={{ base: '4', sm: '8' }}>
      {children}
    </Box>
  );
}

const OPERATION = /^\/docs\/(\w+)$/;
const AREA = /^\/docs\/areas\/([\w-]+)$/;
const CHANNEL = /^\/docs\/sockets\/([\w-]+)$/;

type ShownProps = ReferenceScreenProps & { areas: ReturnType<typeof areasOf>; pathname: string };

function Shown({ api, live, areas, pathname }: ShownProps) {
  const path = pathname.replace(/\/$/, '');
  const { schemas } = api.components;
  if (path === referencePaths.home)
    return <Titled title={t`API reference`} of={<Overview api={api} live={live} areas={areas} />} />;
  const area = areas.find(({ name }) => slugOf(name) === AREA.exec(path)?.[1]);
  if (area) return <Titled title={area.name} of={<AreaView area={area} />} />;
  const id = OPERATION.exec(path)?.[1];
  const operation = areas.flatMap(({ operations }) => operations).find((one) => one.id === id);
  if (operation)
    return <Titled title={operation.path} of={<OperationView operation={operation} schemas={schemas} />} />;
  const name = CHANNEL.exec(path)?.[1] ?? '';
  const channel = live.channels[name];
  if (channel)
    return (
      <Titled
        title={channel.address}
        of={<ChannelView name={name} channel={channel} schemas={live.components.schemas} />}
      />
    );
  return (
    <MessagePage
      as="div"
      icon={Compass}
      title={t`Page not found`}
      action={
        <Button asChild variant="outline">
          <Link to={referencePaths.home}>{t`API reference`}</Link>
        </Button>
      }
    >
      {t`No endpoint or socket has this name. Choose one from the menu.`}
    </MessagePage>
  );
}

const Titled = ({ title, of }: { title: string; of: React.ReactNode }) => (
  <>
    <title>{t`${title} · Orchestrate`}</title>
    {of}
  </>
);

function ReferenceHeader() {
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
        <BookOpenText size={20} aria-hidden />
      </Box>
      <Text flex="1" fontWeight="semibold">
        {t`Orchestrate API`}
      </Text>
      <Button asChild variant="ghost" size="sm">
        <a href={paths.lab} target="_blank" rel="noreferrer">
          <FlaskConical aria-hidden />
          {t`Lab`}
        </a>
      </Button>
      <ActionButton label={mode === 'dark' ? t`Light mode` : t`Dark mode`} size="md" onClick={toggle}>
        {mode === 'dark' ? <Sun /> : <Moon />}
      </ActionButton>
    </Flex>
  );
}

const SKELETON_ENTRIES = Array.from({ length: 12 }, (_, at) => at);

/** `/docs`: all endpoints and sockets, from the portal's OpenAPI and AsyncAPI documents. */
export default function ReferencePage() {
  useLabTokenFromHash();
  const { data, error, mutate } = useSWR('reference', readDocuments, { revalidateOnFocus: false });
  if (data) return <ReferenceScreen {...data} />;
  if (error) return <ErrorState message={t`Couldn't load the reference. Try again.`} onRetry={() => void mutate()} />;
  return (
    <Flex direction="column" flex="1" minH="0">
      <ReferenceHeader />
      <Flex flex="1" align="stretch">
        <Box
          hideBelow="sm"
          w="20rem"
          p="3"
          bg="bg.panel"
          borderEndWidth="1px"
          display="flex"
          flexDirection="column"
          gap="4"
        >
          {SKELETON_ENTRIES.map((at) => (
            <Skeleton key={at} h="9" />
          ))}
        </Box>
        <Box flex="1" minW="0" p={{ base: '4', sm: '8' }}>
          <LoadingPage />
        </Box>
      </Flex>
    </Flex>
  );
}
