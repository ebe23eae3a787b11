import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { CheckedRow, InviteeCheck } from '@orchestrate/shared';
import { useId, useState } from 'react';
import { formatNumber } from '#lib/format/numbers.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { StatusBadge, type StatusBadgeProps } from '#ui/feedback/status-badge.tsx';
import { FilterChips } from '#ui/list/filter-chips.tsx';

interface NewPeopleProps {
  count: number;
  addNew: boolean;
  onAddNew: (addNew: boolean) => void;
}

/** Asks whether to add people with unknown email addresses as members. */
function NewPeople({ count, addNew, onAddNew }: NewPeopleProps) {
  const name = useId();
  const choices = [
    {
      value: true,
      label: plural(count, { one: 'Add as a new person', other: 'Add them as new people' }),
      help: t`We derive names from the email addresses until people enter their own.`,
    },
    { value: false, label: t`Skip`, help: undefined },
  ];
  return (
    <Flex role="radiogroup" aria-label={t`New people`} direction="column" gap="1.5" px="3.5" pb="3">
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

const WORDS: Readonly<Record<InviteeCheck['outcome'], StatusBadgeProps>> = {
  new: { status: t`New`, tone: 'info' },
  member: { status: t`Member`, tone: 'success' },
  registered: { status: t`No invitation needed`, tone: 'neutral' },
  duplicate: { status: t({ message: 'Duplicate', context: 'a row that repeats another' }), tone: 'neutral' },
  refused: { status: t`Can't be invited`, tone: 'danger', needsAction: true },
};

const LEFT_OUT = { status: t`Skipped`, tone: 'neutral' } as const;

/** Outcomes in display order. Outcomes that need a decision come first. */
const ORDER = ['refused', 'new', 'member', 'registered', 'duplicate'] as const;

/** Maximum number of rendered rows. More rows would be slow to render, and the summary counts all of them. */
const ROWS_MAX = 200;

type Outcome = InviteeCheck['outcome'];

/** Minimum number of invitees for displaying the outcome filter. */
const FILTERED_FROM = 10;

interface InviteesPreviewProps {
  /** Invitees with their outcome. Rows of a file also have a line number and a name. */
  people: readonly (InviteeCheck & Partial<Pick<CheckedRow, 'line' | 'name'>>)[];
  /** Number of invitees by outcome. Set if `people` is only part of the list. */
  counts?: Record<Outcome, number>;
  /** False if only the beginning of the file was checked. `rows` is then the number of checked rows. */
  isWhole?: boolean;
  rows?: number;
  /** Choice whether to create new members. Undefined if the choice isn't available. */
  newPeople?: { addNew: boolean; onAddNew: (addNew: boolean) => void };
}

/** Previews an invitation with existing members, new people and entries that can't be invited. */
export function InviteesPreview({ people, counts, isWhole = true, rows, newPeople }: InviteesPreviewProps) {
  const [chosen, setChosen] = useState<Outcome>();
  const of = (outcome: Outcome) => people.filter((person) => person.outcome === outcome);
  const count = (outcome: Outcome) => counts?.[outcome] ?? of(outcome).length;
  const present = ORDER.filter((outcome) => count(outcome) > 0);
  const only = present.find((outcome) => outcome === chosen);
  const total = (only ? [only] : present).reduce((sum, outcome) => sum + count(outcome), 0);
  const shown = (only ? [only] : present).flatMap(of).slice(0, ROWS_MAX);
  return (
    <Flex as="section" aria-label={t`Invitees`} direction="column" borderWidth="1px" borderRadius="l2">
      <Text role="status" px="3.5" py="2.5" textStyle="sm" fontWeight="medium">
        {outcomeSummary(count)}
      </Text>
      {!isWhole && (
        <Text px="3.5" pb="2.5" textStyle="xs" color="fg.muted">
          {t`Only the first ${formatNumber(rows ?? 0)} rows were checked. The rest will be checked when you upload the file.`}
        </Text>
      )}
      {newPeople && count('new') > 0 && <NewPeople count={count('new')} {...newPeople} />}
      {present.length > 1 && people.length >= FILTERED_FROM && (
        <Box px="3.5" pb="3">
          <FilterChips
            label={t`Outcome`}
            choices={[
              { value: undefined, label: t`All` },
              ...present.map((outcome) => ({
                value: outcome,
                label: WORDS[outcome].status,
                count: formatNumber(count(outcome)),
              })),
            ]}
            value={only}
            onChange={setChosen}
          />
        </Box>
      )}
      <Box as="ul" borderTopWidth="1px" aria-label={t`Email addresses`}>
        {shown.map(({ email, outcome, reason, line, name }, at) => {
          const about = joinWithDots(line && t`Line ${line}`, name, reason && reason);
          return (
            <Flex as="li" key={`${email} ${at}`} gap="3" px="3.5" py="1.5" align="center" justify="space-between">
              <Box minW="0">
                <Text textStyle="sm" truncate title={email}>
                  {email || t`No email address`}
                </Text>
                {about && (
                  <Text textStyle="xs" color="fg.muted">
                    {about}
                  </Text>
                )}
              </Box>
              <StatusBadge {...(outcome === 'new' && newPeople?.addNew === false ? LEFT_OUT : WORDS[outcome])} />
            </Flex>
          );
        })}
      </Box>
      {total > shown.length && (
        <Text px="3.5" py="2" textStyle="xs" color="fg.muted" borderTopWidth="1px">
          {t`Showing the first ${formatNumber(shown.length)} of ${formatNumber(total)}.`}
        </Text>
      )}
    </Flex>
  );
}

/** Returns a summary such as `1 existing member · 3 new people · 1 can't be invited`. */
export function outcomeSummary(count: (outcome: Outcome) => number): string {
  const [members, strangers, registered, duplicates, refused] = [
    count('member'),
    count('new'),
    count('registered'),
    count('duplicate'),
    count('refused'),
  ];
  return [
    members > 0 && plural(members, { one: '# existing member', other: '# existing members' }),
    strangers > 0 && plural(strangers, { one: '# new person', other: '# new people' }),
    registered > 0 && plural(registered, { one: '# needs no invitation', other: '# need no invitation' }),
    duplicates > 0 && plural(duplicates, { one: '# duplicate row', other: '# duplicate rows' }),
    refused > 0 && plural(refused, { one: "# can't be invited", other: "# can't be invited" }),
  ]
    .filter(Boolean)
    .join(' · ');
}
