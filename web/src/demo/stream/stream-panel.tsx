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
import { dotted } from '#lib/format/text.ts';
import { Face } from '../faces/face.tsx';
import { answered, isAsked, isSignedIn, isToldWho, refusedWith } from '../scenes/happened.ts';
import { STAGE_APPS } from '../world/demo-world.ts';

/** Where something happened. */
type Place = 'browser' | 'phone' | 'mail' | 'application' | 'portal';

interface Sentence {
  seq: number;
  at: string;
  place: Place;
  text: string;
  /** Whom it is about. */
  email: string | undefined;
  tone: 'neutral' | 'success' | 'danger';
}

type LiveRegion = Pick<Sentence, 'place' | 'text'> & { tone?: Sentence['tone'] };

/** What a phone does with the requests of each kind: reads, approves, denies. */
const REQUESTS: Record<string, Readonly<Record<'opened' | 'approved' | 'denied', string>>> = {
  login: { opened: t`read the code`, approved: t`approved the sign-in`, denied: t`denied the sign-in` },
  'app-login': { opened: t`read the code`, approved: t`approved the sign-in`, denied: t`denied the sign-in` },
  verbal: {
    opened: t`took what was read out`,
    approved: t`confirmed who is calling`,
    denied: t`refused to say who is calling`,
  },
};

const MAILS: Record<string, string> = {
  'activation-code': t`brings the code for the phone`,
  invitation: t`brings the invitation`,
  'device-lost': t`says that the phone was reported lost`,
  'new-device': t`says that there is a new device`,
  'security-alert': t`warns of an attempt that was denied`,
};

/** Calls that say something to people who watch. */
const CALLS: readonly (readonly [(entry: JournalEntry) => boolean, LiveRegion])[] = [
  [isSignedIn, { place: 'browser', text: t`is signed in`, tone: 'success' }],
  [answered(deleteDevice), { place: 'portal', text: t`took a device out of service` }],
  [
    answered(replaceDevice),
    { place: 'portal', text: t`took a device out of service, and mailed the code for the next` },
  ],
  [answered(startVerbal), { place: 'browser', text: t`shows a code for the caller` }],
  [answered(inviteUsers), { place: 'portal', text: t`invited somebody` }],
  [answered(openActivationLink), { place: 'browser', text: t`opened the link of the invitation` }],
  [answered(activate), { place: 'phone', text: t`made its key and is registered`, tone: 'success' }],
  [
    refusedWith('DEVICE_NOT_TRUSTED'),
    { place: 'phone', text: t`was turned away: it was reported lost`, tone: 'danger' },
  ],
];

/** What a person who watches would say about it; null for what is of no interest to them. */
function sentenceOf(entry: JournalEntry): Sentence | null {
  const told = toldOf(entry);
  if (!told) return null;
  const { seq, at, email } = entry;
  return { seq, at, email, tone: 'neutral', ...told };
}

function toldOf(entry: JournalEntry): LiveRegion | null {
  switch (entry.kind) {
    case 'challenge':
      return requestToldOf(entry.challengeKind, entry.state);
    case 'message':
      return { place: 'mail', text: MAILS[entry.template] ?? t`was sent` };
    case 'http':
      return callToldOf(entry);
    default:
      return null;
  }
}

function callToldOf(entry: HttpEntry): LiveRegion | null {
  if (isAsked(entry)) {
    const isPush = fieldOf(entry.requestBody, 'mode') === 'PUSH';
    return { place: 'browser', text: isPush ? t`sent a request to a phone` : t`asked for a code` };
  }
  if (isToldWho(entry)) {
    const app = STAGE_APPS.find(({ id }) => id === fieldOf(entry.requestBody, 'client_id'));
    return {
      place: 'application',
      text: t`${app?.name ?? ''} received a signed token that says who it is`.trim(),
      tone: 'success',
    };
  }
  return CALLS.find(([isIt]) => isIt(entry))?.[1] ?? null;
}

type HttpEntry = Extract<JournalEntry, { kind: 'http' }>;

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? new Map(Object.entries(body)).get(name) : undefined;

function requestToldOf(kind: string, state: string): LiveRegion | null {
  const told = REQUESTS[kind];
  if (!told) return null;
  if (state === 'opened') return { place: 'phone', text: told.opened };
  if (state === 'approved') return { place: 'phone', text: told.approved, tone: 'success' };
  return state === 'denied' ? { place: 'phone', text: told.denied, tone: 'danger' } : null;
}

/** What happened as sentences, the newest first. A phone that is turned away again and again is mentioned once. */
export function sentencesOf(entries: readonly JournalEntry[]): Sentence[] {
  const sentences: Sentence[] = [];
  for (const entry of entries) {
    const next = sentenceOf(entry);
    const last = sentences.at(-1);
    const isRepeated = next?.tone === 'danger' && last?.text === next.text && last.email === next.email;
    if (next && !isRepeated) sentences.push(next);
  }
  return sentences.toReversed();
}

const PLACES: Record<Place, { icon: LucideIcon; name: string }> = {
  browser: { icon: MonitorSmartphone, name: t`Browser` },
  phone: { icon: Smartphone, name: t`Phone` },
  mail: { icon: Mail, name: t`Mail` },
  application: { icon: AppWindow, name: t`Application` },
  portal: { icon: Server, name: t`Portal` },
};

interface StreamPanelProps {
  entries: readonly JournalEntry[];
  /** How people are called, by their addresses. */
  names: ReadonlyMap<string, string>;
}

/** What happens, as sentences, newest first: taken from the portal's own journal. */
export function StreamPanel({ entries, names }: StreamPanelProps) {
  const sentences = sentencesOf(entries);
  return (
    <Flex
      direction="column"
      flex="1"
      // In a low window the column scrolls instead.
      minH={{ base: '0', sm: '9rem' }}
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      overflow="hidden"
    >
      <Heading as="h2" size="sm" px="5" py="3.5" borderBottomWidth="1px">
        {t`What happens`}
      </Heading>
      <chakra.ol
        aria-label={t`What happens`}
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
            {t`Nothing has happened yet`}
          </Text>
        )}
      </chakra.ol>
    </Flex>
  );
}

function Line({ sentence, name }: { sentence: Sentence; name: string | undefined }) {
  const { place, text, tone, at } = sentence;
  const { icon: Icon, name: where } = PLACES[place];
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
          {dotted(format(at, 'HH:mm:ss'), name)}
        </Text>
      </Box>
    </chakra.li>
  );
}
