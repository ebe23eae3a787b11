import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import type { AuditEvent } from '@orchestrate/shared';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { formatDateTime, formatTime } from '../lib/format/dates.ts';
import { dotted } from '../lib/format/dotted.ts';
import { portalNow } from '../lib/time/portal-time.ts';
import { byDay } from './days.ts';
import { EventDetails } from './event-details.tsx';
import { EventIcon } from './event-icon.tsx';
import { actionLabel, actorName, objectName } from './event-words.ts';

/** What was changed, day by day; each opens to its details. */
export function EventDays({ events }: { events: readonly AuditEvent[] }) {
  const days = byDay(events, ({ at }) => at, portalNow());
  return (
    <>
      {days.map(({ day, label, items }) => (
        <Box key={day} as="section" aria-label={label} css={{ '& + &': { borderTopWidth: '1px' } }}>
          <Heading
            as="h3"
            px="5"
            py="2.5"
            textStyle="sm"
            fontWeight="semibold"
            color="fg.muted"
            bg="bg.subtle"
            borderBottomWidth="1px"
          >
            {label}
          </Heading>
          <EventList events={items} timeOf={formatTime} />
        </Box>
      ))}
    </>
  );
}

interface EventListProps {
  events: readonly AuditEvent[];
  /** How the time is shown; with its day by default. */
  timeOf?: (at: string) => string;
}

/** What was changed, newest first. */
export function EventList({ events, timeOf = formatDateTime }: EventListProps) {
  return (
    <chakra.ul listStyleType="none">
      {events.map((event) => (
        <EventRow key={event.id} event={event} time={timeOf(event.at)} />
      ))}
    </chakra.ul>
  );
}

function EventRow({ event, time }: { event: AuditEvent; time: string }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { action, actor, object } = event;
  return (
    <chakra.li borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <chakra.button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        display="flex"
        alignItems="center"
        gap="3"
        w="full"
        px="5"
        py="3"
        textAlign="start"
        cursor="pointer"
        outline="0"
        focusVisibleRing="inside"
        _hover={{ bg: 'bg.subtle' }}
      >
        <EventIcon type={object.type} />
        <Box flex="1" minW="0">
          <Flex columnGap="2" wrap="wrap">
            <Text fontWeight="semibold">{actionLabel(action)}</Text>
            {object.name && (
              <Text overflowWrap="anywhere" minW="0">
                {objectName(object)}
              </Text>
            )}
          </Flex>
          <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
            {dotted(actorName(actor), time)}
          </Text>
        </Box>
        <Box
          color="fg.muted"
          flexShrink="0"
          transition="transform 150ms"
          transform={isOpen ? 'rotate(180deg)' : undefined}
        >
          <ChevronDown size={16} aria-hidden />
        </Box>
      </chakra.button>
      {isOpen && (
        <Box id={id}>
          <EventDetails event={event} />
        </Box>
      )}
    </chakra.li>
  );
}
