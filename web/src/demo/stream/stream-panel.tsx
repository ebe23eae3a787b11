import { Box, Center, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  activate,
  deleteDevice,
  inviteUsers,
  type JournalEntry,
  openActivationLink,
  replaceDevice,
  startVerbal,
} from '@orchestrate/shared';
import { format } from 'date-fns';
import { AppWindow, type LucideIcon, Mail, MonitorSmartphone, Server, Smartphone } from 'lucide-react';
import { joinWithDots } from '#lib/format/text.ts';
import { Face } from '../faces/face.tsx';
import { refusedWith, sessionStarted, signInStarted, succeeded, tokensIssued } from '../scenes/journal-matchers.ts';
import { DEMO_APPS } from '../world/demo-world.ts';

type Source = 'browser' | 'phone' | 'mail' | 'application' | 'portal';

interface Sentence {
  seq: number;
  at: string;
  source: Source;
  text: string;
  /** Email address of the user involved. */
  email: string | undefined;
  tone: 'neutral' | 'success' | 'danger';
}

type EventText = Pick<Sentence, 'source' | 'text'> & { tone?: Sentence['tone'] };

/** Descriptions of what a phone did, by type of request. */
const REQUESTS: Record<string, Readonly<Record<'opened' | 'approved' | 'denied', string>>> = {
  login: { opened: t`read the code`, approved: t`approved the sign-in`, denied: t`denied the sign-in` },
  'app-login': { opened: t`read the code`, approved: t`approved the sign-in`, denied: t`denied the sign-in` },
  verbal: {
    opened: t`accepted the code`,
    approved: t`confirmed who is calling`,
    denied: t`did not confirm who is calling`,
  },
};

const MAILS: Record<string, string> = {
  'activation-code': t`delivers the activation code`,
  invitation: t`delivers the invitation`,
  'device-lost': t`confirms that the phone was reported lost`,
  'new-device': t`reports a new device`,
  'security-alert': t`warns about a denied attempt`,
};

/** Calls worth displaying, with their descriptions. */
const CALLS: readonly (readonly [(entry: JournalEntry) => boolean, EventText])[] = [
  [sessionStarted, { source: 'browser', text: t`is signed in`, tone: 'success' }],
  [succeeded(deleteDevice), { source: 'portal', text: t`removed a device` }],
  [succeeded(replaceDevice), { source: 'portal', text: t`removed a device and emailed the code for a new one` }],
  [succeeded(startVerbal), { source: 'browser', text: t`shows a code for the caller` }],
  [succeeded(inviteUsers), { source: 'portal', text: t`sent an invitation` }],
  [succeeded(openActivationLink), { source: 'browser', text: t`opened the invitation link` }],
  [succeeded(activate), { source: 'phone', text: t`generated its key and registered`, tone: 'success' }],
  [
    refusedWith('DEVICE_NOT_TRUSTED'),
    { source: 'phone', text: t`was rejected because it was reported lost`, tone: 'danger' },
  ],
];

/** Describes a journal entry for viewers. Returns null if the entry isn't of interest. */
function sentenceOf(entry: JournalEntry): Sentence | null {
  const event = eventTextOf(entry);
  if (!event) return null;
  const { seq, at, email } = entry;
  return { seq, at, email, tone: 'neutral', ...event };
}

function eventTextOf(entry: JournalEntry): EventText | null {
  switch (entry.kind) {
    case 'challenge':
      return requestTextOf(entry.challengeKind, entry.state);
    case 'message':
      return { source: 'mail', text: MAILS[entry.template] ?? t`was sent` };
    case 'http':
      return callTextOf(entry);
    default:
      return null;
  }
}

function callTextOf(entry: HttpEntry): EventText | null {
  if (signInStarted(entry)) {
    const isPush = fieldOf(entry.requestBody, 'mode') === 'PUSH';
    return { source: 'browser', text: isPush ? t`sent a request to a phone` : t`requested a code` };
  }
  if (tokensIssued(entry)) {
    const app = DEMO_APPS.find(({ id }) => id === fieldOf(entry.requestBody, 'client_id'));
    return {
      source: 'application',
      text: t`${app?.name ?? ''} received a signed token`.trim(),
      tone: 'success',
    };
  }
  return CALLS.find(([isIt]) => isIt(entry))?.[1] ?? null;
}

type HttpEntry = Extract<JournalEntry, { kind: 'http' }>;

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? new Map(Object.entries(body)).get(name) : undefined;

function requestTextOf(kind: string, state: string): EventText | null {
  const texts = REQUESTS[kind];
  if (!texts) return null;
  if (state === 'opened') return { source: 'phone', text: texts.opened };
  if (state === 'approved') return { source: 'phone', text: texts.approved, tone: 'success' };
  return state === 'denied' ? { source: 'phone', text: texts.denied, tone: 'danger' } : null;
}

/** Describes journal entries as sentences, newest first. Merges consecutive failures with the same text and user. */
export function describeEntries(entries: readonly JournalEntry[]): Sentence[] {
  const sentences: Sentence[] = [];
  for (const entry of entries) {
    const next = sentenceOf(entry);
    const last = sentences.at(-1);
    const isRepeated = next?.tone === 'danger' && last?.text === next.text && last.email === next.email;
    if (next && !isRepeated) sentences.push(next);
  }
  return sentences.toReversed();
}

const SOURCES: Record<Source, { icon: LucideIcon; name: string }> = {
  browser: { icon: MonitorSmartphone, name: t`Browser` },
  phone: { icon: Smartphone, name: t`Phone` },
  mail: { icon: Mail, name: t`Email` },
  application: { icon: AppWindow, name: t`Application` },
  portal: { icon: Server, name: t`Portal` },
};

interface StreamPanelProps {
  entries: readonly JournalEntry[];
  /** Names by email address. */
  names: ReadonlyMap<string, string>;
}

/** Displays the portal's journal as sentences, newest first. */
export function StreamPanel({ entries, names }: StreamPanelProps) {
  const sentences = describeEntries(entries);
  return (
    <Flex
      direction="column"
      flex="1"
      // In a low window, the column scrolls instead of the list.
      minH={{ base: '0', sm: '9rem' }}
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      overflow="hidden"
    >
      <Heading as="h2" size="sm" px="5" py="3.5" borderBottomWidth="1px">
        {t`Live events`}
      </Heading>
      <chakra.ol
        aria-label={t`Live events`}
        aria-live="polite"
        listStyleType="none"
        flex="1"
        minH="0"
        overflowY="auto"
        py="2"
        tabIndex={0}
        outline="0"
        focusVisibleRing="inside"
      >
        {sentences.map((sentence) => (
          <Line key={sentence.seq} sentence={sentence} name={names.get(sentence.email ?? '')} />
        ))}
        {sentences.length === 0 && (
          <Text as="li" px="5" py="2" color="fg.muted" textStyle="sm">
            {t`No events yet`}
          </Text>
        )}
      </chakra.ol>
    </Flex>
  );
}

function Line({ sentence, name }: { sentence: Sentence; name: string | undefined }) {
  const { source, text, tone, at } = sentence;
  const { icon: Icon, name: where } = SOURCES[source];
  return (
    <chakra.li display="flex" gap="3" px="4" py="2" animationStyle="appear">
      {name ? (
        <Box position="relative" flexShrink="0">
          <Face name={name} />
        </Box>
      ) : (
        <Center boxSize="8" borderRadius="full" bg="bg.muted" color="fg.muted" flexShrink="0">
          <Icon size={15} aria-hidden />
        </Center>
      )}
      <Box minW="0" flex="1">
        <Text
          textStyle="sm"
          textWrap="pretty"
          colorPalette={tone}
          {...(tone !== 'neutral' && { color: 'colorPalette.fg' })}
        >
          <chakra.strong fontWeight="semibold">{where}</chakra.strong> {text}
        </Text>
        <Text textStyle="xs" color="fg.muted" truncate>
          {joinWithDots(format(at, 'HH:mm:ss'), name)}
        </Text>
      </Box>
    </chakra.li>
  );
}
