import { Box, Button, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useId, useState } from 'react';
import { formatDateTime } from '#lib/format/dates.ts';
import { Modal } from '../dialog/modal.tsx';

/** A field that another user has changed since the form was opened. */
export interface ConflictRow {
  label: string;
  /** Displayed value: a string, or a list's lines. */
  theirs: string | readonly string[];
  mine: string | readonly string[];
  /** True if this user has changed the field too. */
  isContested: boolean;
}

export type Side = 'theirs' | 'mine';

export interface ConflictDialogProps {
  /** The other user's name. */
  who: string;
  /** When the other user saved, in ISO 8601. */
  at: string | null;
  rows: readonly ConflictRow[];
  /** Called with the side to keep for each row, or with undefined to return to the form. */
  onAnswer: (sides: readonly Side[] | undefined) => void;
}

/** Maximum number of characters shown of each value, enough to tell two values apart. */
const TEXT_MAX_LENGTH = 600;

/** Asks which user's value to keep for each field after two users edited the same settings. */
export default function ConflictDialog({ who, at, rows, onAnswer }: ConflictDialogProps) {
  const [sides, setSides] = useState<Side[]>(rows.map(({ isContested }) => (isContested ? 'mine' : 'theirs')));
  const chooseAll = (side: Side) => setSides(rows.map(() => side));
  return (
    <Modal
      isOpen
      onClose={() => onAnswer(undefined)}
      size="lg"
      title={t`${who} changed this while you were editing`}
      description={
        at
          ? t`Saved ${formatDateTime(at)}. Your changes haven't been saved yet. Choose what to keep.`
          : t`Your changes haven't been saved yet. Choose what to keep.`
      }
      footer={
        <Flex gap="2.5" flex="1" wrap="wrap" justify="flex-end">
          <Button variant="outline" onClick={() => onAnswer(undefined)}>
            {t`Back to the form`}
          </Button>
          <Button onClick={() => onAnswer(sides)}>{t`Save`}</Button>
        </Flex>
      }
    >
      <Flex direction="column" gap="5">
        {rows.length > 1 && (
          <Flex gap="2.5" wrap="wrap">
            <Button size="sm" variant="outline" onClick={() => chooseAll('theirs')}>
              {t`Keep all of theirs`}
            </Button>
            <Button size="sm" variant="outline" onClick={() => chooseAll('mine')}>
              {t`Keep all of mine`}
            </Button>
          </Flex>
        )}
        {rows.map(({ label, theirs, mine, isContested }, at) => (
          <Choice
            key={label}
            label={label}
            note={isContested ? undefined : t`Only they changed this.`}
            theirs={theirs}
            mine={mine}
            side={sides[at] ?? 'mine'}
            onSide={(side) => setSides(sides.with(at, side))}
          />
        ))}
      </Flex>
    </Modal>
  );
}

interface ChoiceProps {
  label: string;
  note: string | undefined;
  theirs: string | readonly string[];
  mine: string | readonly string[];
  side: Side;
  onSide: (side: Side) => void;
}

function Choice({ label, note, theirs, mine, side, onSide }: ChoiceProps) {
  const name = useId();
  return (
    <chakra.fieldset minW="0">
      <chakra.legend fontWeight="medium" pb="2">
        {label}
        {note && (
          <Text as="span" color="fg.muted" fontWeight="normal">
            {` · ${note}`}
          </Text>
        )}
      </chakra.legend>
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }} gap="2.5">
        {(['theirs', 'mine'] as const).map((each) => (
          <chakra.label
            key={each}
            display="flex"
            alignItems="flex-start"
            gap="2.5"
            px="3.5"
            py="2.5"
            borderWidth="1px"
            borderRadius="l2"
            cursor="pointer"
            borderColor={side === each ? 'brand.line' : 'border'}
            bg={side === each ? 'bg.subtle' : 'bg.panel'}
            _focusWithin={{ outline: '2px solid', outlineColor: 'brand.line', outlineOffset: '2px' }}
          >
            <chakra.input
              type="radio"
              name={name}
              checked={side === each}
              onChange={() => onSide(each)}
              accentColor="brand.line"
              mt="1"
              flexShrink="0"
              outline="none"
            />
            <Box minW="0">
              <Text fontWeight="medium">{each === 'mine' ? t`Keep mine` : t`Keep theirs`}</Text>
              <SideValue value={each === 'mine' ? mine : theirs} other={each === 'mine' ? theirs : mine} />
            </Box>
          </chakra.label>
        ))}
      </Grid>
    </chakra.fieldset>
  );
}

/** A string or a list's lines. Lines that the other side lacks are bold. */
function SideValue({ value, other }: { value: string | readonly string[]; other: string | readonly string[] }) {
  if (value.length === 0) return <Text color="fg.muted">{t`Empty`}</Text>;
  if (typeof value === 'string')
    return (
      <Text overflowWrap="anywhere" whiteSpace="pre-wrap">
        {value.length > TEXT_MAX_LENGTH ? `${value.slice(0, TEXT_MAX_LENGTH)}…` : value}
      </Text>
    );
  return (
    <chakra.ul listStyleType="none">
      {value.map((line) => (
        <chakra.li key={line} overflowWrap="anywhere" fontWeight={other.includes(line) ? undefined : 'semibold'}>
          {line}
        </chakra.li>
      ))}
    </chakra.ul>
  );
}
