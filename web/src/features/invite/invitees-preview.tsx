import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { InviteeCheck } from '@orchestrate/shared';
import { useId } from 'react';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';

const WORDS: Readonly<Record<InviteeCheck['outcome'], { status: string; tone: Tone }>> = {
  new: { status: 'New', tone: 'info' },
  member: { status: 'Member', tone: 'success' },
  registered: { status: 'Registered', tone: 'neutral' },
  refused: { status: 'Cannot be invited', tone: 'danger' },
};

const LEFT_OUT = { status: 'Left out', tone: 'neutral' } as const;

/** Who needs a decision comes first. */
const ORDER = ['refused', 'new', 'member', 'registered'] as const;

/** More would be slow to draw, and nobody would read them; the summary counts them all. */
const ROWS_MAX = 200;

interface InviteesPreviewProps {
  people: readonly InviteeCheck[];
  addNew: boolean;
  onAddNew: (addNew: boolean) => void;
}

/** Who is invited, before anything is sent: members, new people, and those who cannot be. */
export function InviteesPreview({ people, addNew, onAddNew }: InviteesPreviewProps) {
  const count = (outcome: InviteeCheck['outcome']) => people.filter((person) => person.outcome === outcome).length;
  const sorted = ORDER.flatMap((outcome) => people.filter((person) => person.outcome === outcome));
  const shown = sorted.slice(0, ROWS_MAX);
  return (
    <Flex as="section" aria-label="Who is invited" direction="column" borderWidth="1px" borderRadius="l2">
      <Text role="status" px="3.5" py="2.5" textStyle="sm" fontWeight="medium">
        {summaryOf(count)}
      </Text>
      {count('new') > 0 && <NewPeople count={count('new')} addNew={addNew} onAddNew={onAddNew} />}
      <Box
        as="ul"
        maxH="36"
        overflowY="auto"
        borderTopWidth="1px"
        tabIndex={0}
        aria-label="Addresses"
        outline="0"
        focusVisibleRing="inside"
      >
        {shown.map(({ email, outcome, reason }, at) => (
          <Flex as="li" key={`${email} ${at}`} gap="3" px="3.5" py="1.5" align="center" justify="space-between">
            <Box minW="0">
              <Text textStyle="sm" truncate title={email}>
                {email}
              </Text>
              {reason && (
                <Text textStyle="xs" color="fg.muted">
                  {reason}
                </Text>
              )}
            </Box>
            <StatusBadge {...(outcome === 'new' && !addNew ? LEFT_OUT : WORDS[outcome])} />
          </Flex>
        ))}
      </Box>
      {sorted.length > ROWS_MAX && (
        <Text px="3.5" py="2" textStyle="xs" color="fg.muted" borderTopWidth="1px">
          {`The first ${ROWS_MAX} of ${sorted.length}.`}
        </Text>
      )}
    </Flex>
  );
}

/** `1 member gets a new link · 3 people are new · 1 cannot be invited` */
function summaryOf(count: (outcome: InviteeCheck['outcome']) => number): string {
  const [members, strangers, registered, refused] = [
    count('member'),
    count('new'),
    count('registered'),
    count('refused'),
  ];
  return [
    members > 0 && (members === 1 ? '1 member gets a new link' : `${members} members get a new link`),
    strangers > 0 && (strangers === 1 ? '1 person is new' : `${strangers} people are new`),
    registered > 0 && (registered === 1 ? '1 has registered already' : `${registered} have registered already`),
    refused > 0 && `${refused} cannot be invited`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function NewPeople({ count, addNew, onAddNew }: { count: number } & Omit<InviteesPreviewProps, 'people'>) {
  const name = useId();
  const choices = [
    {
      value: true,
      label: count === 1 ? 'Add as a new person' : 'Add them as new people',
      help: 'Names come from the addresses, until each person enters their own.',
    },
    { value: false, label: count === 1 ? 'Leave out' : 'Leave them out', help: undefined },
  ];
  return (
    <Flex role="radiogroup" aria-label="New people" direction="column" gap="1.5" px="3.5" pb="3">
      {choices.map(({ value, label, help }) => (
        <chakra.label key={label} display="flex" gap="2.5" alignItems="flex-start" cursor="pointer">
          <chakra.input
            type="radio"
            name={name}
            aria-label={label}
            aria-describedby={help && `${name}-help`}
            checked={addNew === value}
            onChange={() => onAddNew(value)}
            accentColor="brand.line"
            boxSize="4"
            mt="0.5"
            flexShrink="0"
          />
          <Box>
            <Text textStyle="sm">{label}</Text>
            {help && (
              <Text id={`${name}-help`} textStyle="xs" color="fg.muted">
                {help}
              </Text>
            )}
          </Box>
        </chakra.label>
      ))}
    </Flex>
  );
}
