import { chakra, Flex, type SystemStyleObject } from '@chakra-ui/react';

export interface FilterChoice<Value> {
  value: Value;
  label: string;
  /** Number of items, for display. */
  count?: string | undefined;
  /** True for a choice that needs attention. It is at the other end of the tabs. */
  isApart?: boolean;
}

interface FilterChipsProps<Value extends string> {
  /** Name of the filter, e.g. 'Status'. */
  label: string;
  /** Filter choices. The value `undefined` selects all items. */
  choices: readonly FilterChoice<Value | undefined>[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  /**
   * `tabs` are quiet words above a line, for a filter that divides the whole list. `segments` switch between views of
   * the same items.
   */
  look?: 'chips' | 'tabs' | 'segments';
}

const CHIP: SystemStyleObject = {
  h: '9',
  px: '3.5',
  borderRadius: 'l2',
  borderWidth: '1px',
  bg: 'bg.panel',
  _hover: { bg: 'bg.muted' },
  _pressed: { bg: 'brand.subtle', borderColor: 'brand.line', _hover: { bg: 'brand.subtle' } },
};

const TAB: SystemStyleObject = {
  h: '10',
  borderTopRadius: 'l1',
  borderBottomWidth: '2px',
  borderColor: 'transparent',
  color: 'fg.muted',
  // Covers the line below the tabs.
  mb: '-1px',
  _hover: { color: 'fg' },
  _pressed: { color: 'fg', borderColor: 'fg' },
};

/** Looks like the boxed tabs of a `TabList`. */
const SEGMENT: SystemStyleObject = {
  h: '7',
  px: '3',
  borderRadius: 'l1',
  color: 'fg.muted',
  _hover: { color: 'fg' },
  _pressed: { bg: { base: 'bg.panel', _dark: 'bg.emphasized' }, color: 'fg', boxShadow: 'xs' },
};

const LOOKS = { chips: CHIP, tabs: TAB, segments: SEGMENT };

/** A list filter: a row of choices, of which one is selected. */
export function FilterChips<Value extends string>(props: FilterChipsProps<Value>) {
  const { label, choices, value, onChange, look = 'chips' } = props;
  const isTabs = look === 'tabs';
  return (
    <Flex
      role="group"
      aria-label={label}
      columnGap={isTabs ? '5' : '1.5'}
      rowGap={isTabs ? '0' : '1.5'}
      wrap="wrap"
      borderBottomWidth={isTabs ? '1px' : undefined}
      {...(look === 'segments' && { p: '1', columnGap: '1', bg: 'bg.muted', borderRadius: 'l2' })}
    >
      {choices.map((choice) => (
        <chakra.button
          key={choice.value ?? 'all'}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
          fontWeight="medium"
          whiteSpace="nowrap"
          cursor="pointer"
          outline="0"
          focusVisibleRing="outside"
          transition="background-color 120ms, border-color 120ms, color 120ms"
          css={LOOKS[look]}
          ms={isTabs && choice.isApart ? { sm: 'auto' } : undefined}
          color={isTabs && choice.count === '0' && choice.value !== value ? 'fg.subtle' : undefined}
        >
          {choice.label}
          {choice.count !== undefined && ' '}
          {choice.count !== undefined && (
            <chakra.span
              ps="0.5"
              color={choice.count === '0' ? 'inherit' : choice.isApart ? 'warning.fg' : 'fg.muted'}
              fontWeight={isTabs ? 'normal' : undefined}
              fontVariantNumeric="tabular-nums"
            >
              {choice.count}
            </chakra.span>
          )}
        </chakra.button>
      ))}
    </Flex>
  );
}
