import { Box, Center, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { JournalEntry } from '@orchestrate/shared';
import { format } from 'date-fns';
import { AppWindow, type LucideIcon, Mail, MonitorSmartphone, Server, Smartphone } from 'lucide-react';
import { dotted } from '../../lib/format/dotted.ts';
import { Face } from '../faces/face.tsx';
import { type Place, type Sentence, sentencesOf } from './sentence-of.ts';

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
