import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Section } from '../ui/section.tsx';
import { Code } from './code.tsx';
import type { ChannelDocument, JsonSchema, Message } from './documents.ts';
import { FieldList } from './field-list.tsx';
import { MethodMark } from './method-mark.tsx';
import { withoutLabel } from './operations.ts';
import type { Schemas } from './schema-text.ts';
import { TryChannel } from './try-channel.tsx';
import { Worded } from './worded.tsx';

interface ChannelViewProps {
  name: string;
  channel: ChannelDocument;
  schemas: Schemas;
}

/** A socket: who may open it, with what, which messages travel, and what it says now. */
export function ChannelView({ name, channel, schemas }: ChannelViewProps) {
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
            <chakra.span color="fg.muted">{t`Who:`} </chakra.span>
            <Worded text={withoutLabel(description)} />
          </Text>
        </Box>
        {Object.keys(query.properties ?? {}).length > 0 && (
          <Section title={t({ message: 'Query', context: 'of an address' })} isFlush>
            <FieldList schema={query} schemas={schemas} />
          </Section>
        )}
        <Section title={t`In your code`}>
          <Code label={t`Opening ${address}`} text={sampleOf(channel)} />
        </Section>
        <TryChannel key={name} name={name} channel={channel} schemas={schemas} />
      </Flex>
      <Flex direction="column" gap="5" minW="0">
        {alike(sent).map((payload) => (
          <Section key={JSON.stringify(payload)} title={t`From the portal`} isFlush>
            <FieldList schema={payload} schemas={schemas} />
          </Section>
        ))}
        {received.map(({ name: command, payload }) => (
          <Section key={command} title={t`To the portal`} isFlush>
            <FieldList schema={payload} schemas={schemas} />
          </Section>
        ))}
      </Flex>
    </Grid>
  );
}

/** Messages with the same fields as one, in which each has its choices. */
function alike(messages: readonly Message[]): JsonSchema[] {
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
    '  const state = JSON.parse(data); // the whole present state',
    '};',
  ].join('\n');
}
