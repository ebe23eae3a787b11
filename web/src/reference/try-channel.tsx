import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import {
  addDevice,
  asSubprotocol,
  LIVE_PROTOCOL,
  type ListedPerson,
  login,
  makeSession,
  startVerbal,
  testDevice,
} from '@orchestrate/shared';
import { createPortalCall, type PortalCall } from '@orchestrate/shared/authenticator';
import { Play, Send, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { call } from '#lib/api/call.ts';
import { labToken } from '#lib/session/browser-state.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { Section } from '#ui/list/section.tsx';
import { Code } from './code.tsx';
import type { ChannelDocument, JsonSchema } from './documents.ts';
import { PersonField, useLabPeople } from './person-field.tsx';
import type { Schemas } from './schema-text.ts';
import { ValueField } from './value-field.tsx';
import { LAB_UNAVAILABLE, TryUnavailable } from './worded.tsx';

/** A sent or received message. */
interface ExchangedMessage {
  index: number;
  isSent: boolean;
  /** Message content as indented JSON. */
  text: string;
}

/** Maximum number of messages shown. */
const MESSAGES_MAX = 50;

/** Manages a socket that the user opens and closes, and its messages. The socket doesn't reconnect. */
function useTriedChannel() {
  const [state, setState] = useState<'closed' | 'opening' | 'open'>('closed');
  const [messages, setExchangedMessage] = useState<ExchangedMessage[]>([]);
  /** Sentence that explains how the connection ended. */
  const [ending, setEnding] = useState('');
  const socket = useRef<WebSocket>(undefined);
  useEffect(() => () => socket.current?.close(1000), []);

  const add = (isSent: boolean, text: string) =>
    setExchangedMessage((before) =>
      [...before, { index: (before.at(-1)?.index ?? 0) + 1, isSent, text }].slice(-MESSAGES_MAX),
    );

  /** Opens the socket. @param path path with its query string */
  function open(path: string, token: string | undefined): void {
    const address = new URL(path, window.location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const present = new WebSocket(address.href, token ? [LIVE_PROTOCOL, asSubprotocol(token)] : [LIVE_PROTOCOL]);
    socket.current = present;
    let wasOpen = false;
    setState('opening');
    setEnding('');
    setExchangedMessage([]);
    present.onopen = () => {
      wasOpen = true;
      setState('open');
    };
    present.onmessage = ({ data }) => add(false, JSON.stringify(JSON.parse(String(data)), null, 2));
    present.onclose = ({ code, reason }) => {
      if (socket.current !== present) return;
      setState('closed');
      setEnding(wasOpen ? t`Closed with ${code}${reason ? `: ${reason}` : ''}.` : REFUSED);
    };
  }

  return {
    state,
    messages,
    ending,
    open,
    send(text: string) {
      socket.current?.send(text);
      add(true, text);
    },
    close: () => socket.current?.close(1000),
  };
}

const REFUSED = t`The portal refused the connection. Browsers don't report the reason, so check the lab's journal.`;

/** A lab user who is signed in to try a channel. */
interface TriedPerson {
  token: string;
  suid: string;
  orgCode: string;
  /** Calls the portal's API as this user. */
  as: PortalCall;
}

/** Creates a session for one of the lab's people. @throws ApiRefusal */
async function sessionOf({ email, orgCode }: ListedPerson): Promise<TriedPerson> {
  const { token, orgId, profile } = await call(makeSession, { body: { email, org: orgCode } });
  const headers = { authorization: `Bearer ${token}` };
  return {
    token,
    suid: profile.suid,
    orgCode: orgId,
    as: createPortalCall({ baseUrl: window.location.origin, headers }),
  };
}

type Beginning = (person: TriedPerson) => Promise<Record<string, string>>;

/** Functions by channel. Each starts the flow that the channel follows and returns the channel's query. */
const BEGINNINGS: Readonly<Record<string, Beginning>> = {
  async login({ orgCode }) {
    const { loginId = '' } = await call(login, { body: { orgCode, mode: 'QID' } });
    return { loginId };
  },
  async verbal({ orgCode, as }) {
    const { epoch } = await as(startVerbal, { query: {} });
    return { epoch, org: orgCode };
  },
  async testDevice({ orgCode, as }) {
    const { qid } = await as(testDevice, { params: { orgCode } });
    return { qid, org: orgCode };
  },
  async addDevice({ suid, as }) {
    const { aid = '' } = await as(addDevice, { body: { suid, type: 'QID', mode: 'mobile' } });
    return { suid, aid };
  },
  bulkInvite: async () => ({ uploadId: 'my-upload' }),
};

/**
 * Returns the function that starts a channel's flow, or undefined if the channel follows none. @param name channel
 * name
 */
const beginningOf = (name: string): Beginning | undefined => BEGINNINGS[name];

/**
 * Creates a sample message with the required fields. Each value is the field's first enum value, or the query
 * parameter of the same name.
 */
function sampleOfMessage(
  { properties = {}, required = [] }: JsonSchema,
  query: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => {
      const field = properties[name];
      return [name, field?.enum?.[0] ?? query[name] ?? ''];
    }),
  );
}

interface TryChannelProps {
  name: string;
  channel: ChannelDocument;
  schemas: Schemas;
}

/** A form for opening a channel as one of the lab's people and exchanging messages. */
export function TryChannel({ name, channel, schemas }: TryChannelProps) {
  const { address, bindings, messages } = channel;
  const lab = useLabPeople();
  const tried = useTriedChannel();
  const [query, setQuery] = useState<Record<string, string>>({});
  const [message, setMessage] = useState<string>();
  const [problem, setProblem] = useState('');
  const begin = beginningOf(name);
  const needs = neededBy(channel);
  const fields = Object.entries(bindings.ws.query.properties ?? {});
  const command = Object.values(messages).find((one) => !one.name.startsWith('State'));
  const text = message ?? (command ? JSON.stringify(sampleOfMessage(command.payload, query), null, 2) : '');
  const isOpen = tried.state === 'open';
  const { person } = lab;
  const isTooEarly = needs === 'an access token' && !person;
  if (needs === 'a signature') {
    const why = t`Devices sign their first message. Open the simulated phone at /authenticator and watch its messages in the lab.`;
    return <TryUnavailable why={why} />;
  }
  if (lab.isClosed && needs !== 'nothing') return <TryUnavailable why={LAB_UNAVAILABLE} />;
  const attempt = async (work: () => Promise<void>) => {
    setProblem('');
    await work().catch((reason: unknown) => setProblem(reason instanceof Error ? reason.message : String(reason)));
  };
  const fill = () =>
    attempt(async () => {
      if (begin && person) setQuery(await begin(await sessionOf(person)));
    });
  const open = () =>
    attempt(async () => {
      const token = needs === 'an access token' ? person && (await sessionOf(person)).token : labTokenFor(needs);
      tried.open(`${address}?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))}`, token);
    });
  return (
    <Section title={t`Try it`}>
      <Flex
        as="form"
        direction="column"
        gap="4"
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        {!lab.isClosed && needs !== 'a lab token' && <PersonField {...lab} />}
        {fields.map(([field, schema]) => (
          <ValueField
            key={field}
            name={field}
            schema={schema}
            schemas={schemas}
            isRequired={bindings.ws.query.required?.includes(field) ?? false}
            value={query[field] ?? ''}
            onChange={(value) => setQuery({ ...query, [field]: value })}
          />
        ))}
        <Flex gap="3" wrap="wrap">
          <Button type="submit" loading={tried.state === 'opening'} disabled={isOpen || isTooEarly}>
            <Play aria-hidden />
            {t`Open`}
          </Button>
          <Button type="button" variant="outline" disabled={!isOpen} onClick={tried.close}>
            <Square aria-hidden />
            {t`Close`}
          </Button>
          {begin && !lab.isClosed && (
            <Button type="button" variant="ghost" disabled={isOpen || !person} onClick={() => void fill()}>
              {t`Start a flow`}
            </Button>
          )}
        </Flex>
      </Flex>
      {command && isOpen && (
        <Flex direction="column" gap="3" mt="5">
          <FormField label={t`Message`}>
            <TextArea
              rows={Math.min(10, text.split('\n').length)}
              fontFamily="mono"
              spellCheck={false}
              value={text}
              onChange={({ target }) => setMessage(target.value)}
            />
          </FormField>
          <Button type="button" variant="outline" alignSelf="start" onClick={() => tried.send(text)}>
            <Send aria-hidden />
            {t`Send`}
          </Button>
        </Flex>
      )}
      {problem && (
        <Box mt="4">
          <AlertLine>{problem}</AlertLine>
        </Box>
      )}
      <Messages messages={tried.messages} state={isOpen ? t`Connected.` : tried.ending} />
    </Section>
  );
}

function Messages({ messages, state }: { messages: readonly ExchangedMessage[]; state: string }) {
  return (
    <Flex direction="column" gap="3" mt={state || messages.length > 0 ? '5' : '0'}>
      <Text role="status" textStyle="sm" color="fg.muted">
        {state && `${state} ${plural(messages.length, { one: '# message', other: '# messages' })}.`}
      </Text>
      {messages.map(({ index, isSent, text }) => (
        <Code key={index} label={isSent ? t`Sent message ${index}` : t`Received message ${index}`} text={text} />
      ))}
    </Flex>
  );
}

type Needed = 'nothing' | 'an access token' | 'a lab token' | 'a signature';

/** Returns the credential needed to open a channel, according to the AsyncAPI document. */
function neededBy({ description, bindings }: ChannelDocument): Needed {
  const offered = JSON.stringify(bindings.ws.headers);
  if (offered.includes('<access token>')) return 'an access token';
  if (offered.includes('<lab token>')) return 'a lab token';
  return /A device/.test(description) ? 'a signature' : 'nothing';
}

const labTokenFor = (needs: Needed): string | undefined => (needs === 'a lab token' ? labToken() : undefined);
