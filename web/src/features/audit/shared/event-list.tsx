import { Box, Button, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { AuditEvent } from '@orchestrate/shared';
import { format, isSameDay, parseISO, subDays } from 'date-fns';
import { ChevronDown } from 'lucide-react';
import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useFirstRows } from '#lib/browser/use-virtual-rows.ts';
import { formatDateTimeSeconds, formatDay, formatTime } from '#lib/format/dates.ts';
import { inSentence } from '#lib/format/labels.ts';
import { useCan } from '#lib/session/session.ts';
import { portalNow } from '#lib/time/portal-time.ts';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { type ActivityAddress, activityPath } from './activity-address.ts';
import { ChangesTable } from './changes-table.tsx';
import { EventIcon } from './event-icon.tsx';
import {
  actionLabel,
  actorKindLabels,
  actorModeLabel,
  actorName,
  objectName,
  objectTypeLabel,
  targetName,
} from './event-words.ts';

/** Shows all details of a change, with links to other events of the member or object. */
function EventDetails({ event }: { event: AuditEvent }) {
  const { actor, object, changes } = event;
  return (
    <Flex direction="column" gap="4" ps="17" pe="5" pt="1" pb="5">
      <chakra.dl display="grid" gridTemplateColumns="max-content minmax(0, 1fr)" columnGap="5" rowGap="1.5">
        <Fact name={t`Changed by`}>
          {actorName(actor)}
          {actor.name && <Muted>{actorKindLabels[actor.kind]}</Muted>}
        </Fact>
        {actor.mode && <Fact name={t`Sign-in method`}>{actorModeLabel(actor.mode)}</Fact>}
        {actor.ip && (
          <Fact name={t({ message: 'From', context: 'where an action came from' })}>
            <chakra.span textStyle="code" fontSize="sm">
              {actor.ip}
            </chakra.span>
          </Fact>
        )}
        <Fact name={t`When`}>{formatDateTimeSeconds(event.at)}</Fact>
        <Fact name={objectTypeLabel(object.type)}>
          {objectName(object) || '–'}
          {object.id && (
            <>
              <Muted>
                <chakra.span textStyle="code" fontSize="xs">
                  {object.id}
                </chakra.span>
              </Muted>
              <CopyButton text={object.id} label={t`Copy ID`} size="xs" />
            </>
          )}
        </Fact>
      </chakra.dl>
      {changes.length > 0 && <ChangesTable label={t`Changed fields`} type={object.type} changes={changes} />}
      <MoreOf event={event} />
    </Flex>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <chakra.dt color="fg.muted">{name}</chakra.dt>
      <chakra.dd display="flex" flexWrap="wrap" alignItems="center" columnGap="2" minW="0" overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </>
  );
}

const Muted = ({ children }: { children: ReactNode }) => (
  <Text as="span" color="fg.muted">
    {children}
  </Text>
);

/** Links to all events of the actor and the object, for users who can read the full list. */
function MoreOf({ event: { actor, object } }: { event: AuditEvent }) {
  if (!useCan('SESSION_MANAGEMENT')) return null;
  return (
    <Flex gap="2.5" wrap="wrap">
      {actor.suid && <MoreLink filters={{ actor: actor.suid }}>{t`All activity by ${actorName(actor)}`}</MoreLink>}
      {object.id && (
        <MoreLink filters={{ objectType: object.type, objectId: object.id }}>
          {t`All activity for ${objectName(object) || t`this ${inSentence(objectTypeLabel(object.type))}`}`}
        </MoreLink>
      )}
    </Flex>
  );
}

function MoreLink({ filters, children }: { filters: ActivityAddress; children: string }) {
  return (
    <Button asChild variant="outline" size="sm">
      <Link to={activityPath(filters)}>{children}</Link>
    </Button>
  );
}

interface Day<Item> {
  /** Local day, e.g. `2026-11-22`. */
  day: string;
  /** 'Today', 'Yesterday', or the date. */
  label: string;
  items: Item[];
}

/**
 * Groups items by local day, preserving their order.
 * @param now the portal's time in milliseconds
 */
function byDay<Item>(items: readonly Item[], timeOf: (item: Item) => string, now: number): Day<Item>[] {
  const days: Day<Item>[] = [];
  for (const item of items) {
    const time = parseISO(timeOf(item));
    const day = format(time, 'yyyy-MM-dd');
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, label: labelOf(time, now), items: [item] });
  }
  return days;
}

function labelOf(time: Date, now: number): string {
  if (isSameDay(time, now)) return t`Today`;
  if (isSameDay(time, subDays(now, 1))) return t`Yesterday`;
  return formatDay(time);
}

/** Lists changes grouped by day. Each row expands to its details. */
export function EventDays({ events }: { events: readonly AuditEvent[] }) {
  const days = byDay(useFirstRows(events), ({ at }) => at, portalNow());
  return (
    <>
      {days.map(({ day, label, items }) => (
        <Box key={day} as="section" aria-label={label} css={{ '& + &': { borderTopWidth: '1px' } }}>
          <Heading
            as="h2"
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
  /** Formats the time. By default, the time is relative to now. */
  timeOf?: (at: string) => string;
}

/** Lists changes, newest first. */
export function EventList({ events, timeOf }: EventListProps) {
  return (
    <chakra.ul listStyleType="none">
      {events.map((event) => (
        <EventRow
          key={event.id}
          event={event}
          time={timeOf?.(event.at) ?? <RelativeTime at={event.at} isInControl />}
        />
      ))}
    </chakra.ul>
  );
}

function EventRow({ event, time }: { event: AuditEvent; time: string | ReactElement }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { action, actor, object } = event;
  const target = targetName(event);
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
            {target && (
              <Text overflowWrap="anywhere" minW="0">
                {target}
              </Text>
            )}
          </Flex>
          {/* The names of lab actions already contain the actor. */}
          {actor.kind !== 'lab' && (
            <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
              {actorName(actor)}
            </Text>
          )}
        </Box>
        <Text textStyle="sm" color="fg.muted" flexShrink="0" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
          {time}
        </Text>
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
