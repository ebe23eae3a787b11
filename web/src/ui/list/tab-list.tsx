import { Box, chakra, Flex } from '@chakra-ui/react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';

interface TabListProps<Value extends string> {
  /** Accessible name, e.g. 'Ways to sign in'. */
  label: string;
  tabs: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  /** `line` for the parts of a page, `box` for choices within a card or dialog. */
  look?: 'box' | 'line';
  /** True for small tabs that are only as wide as their labels. */
  isCompact?: boolean;
  /** True to hide the tabs while the panel needs all attention. Their space stays. */
  isHidden?: boolean;
  children: ReactNode;
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowLeft: (at, count) => (at + count - 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const listLooks = {
  box: { gap: '1', p: '1', maxW: '96', bg: 'bg.muted', borderRadius: 'l2' },
  line: { columnGap: '5', borderBottomWidth: '1px' },
} as const;

const tabLooks = {
  box: {
    flex: '1',
    minH: '9',
    px: '2',
    borderRadius: 'l1',
    _selected: {
      bg: { base: 'bg.panel', _dark: 'bg.emphasized' },
      color: 'fg',
      fontWeight: 'semibold',
      boxShadow: 'xs',
    },
  },
  line: {
    minH: '10',
    mb: '-1px',
    borderTopRadius: 'xs',
    borderBottomWidth: '2px',
    borderBottomColor: 'transparent',
    _selected: { color: 'fg', borderBottomColor: 'fg' },
  },
} as const;

/**
 * Tabs with their panel below. Arrow keys only move the focus, and Enter selects a tab, because selecting a tab can
 * start an action on the server.
 */
export function TabList<Value extends string>({
  look = 'box',
  isCompact = false,
  isHidden = false,
  ...props
}: TabListProps<Value>) {
  const { label, tabs, value, onChange, children } = props;
  const id = useId();
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = all.findIndex((tab) => tab.matches(':focus'));
    const next = steps[event.key]?.(at, all.length);
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  };
  return (
    <Flex direction="column" gap={isCompact ? '4' : '6'}>
      <Flex
        role="tablist"
        aria-label={label}
        onKeyDown={moveFocus}
        wrap="wrap"
        visibility={isHidden ? 'hidden' : undefined}
        {...listLooks[look]}
        {...(isCompact && { alignSelf: 'flex-start' })}
      >
        {tabs.map((tab) => (
          <chakra.button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => tab.value !== value && onChange(tab.value)}
            textStyle="md"
            fontWeight="medium"
            whiteSpace="nowrap"
            color="fg.muted"
            cursor="pointer"
            outline="0"
            focusVisibleRing="outside"
            transitionProperty="background-color, color"
            transitionDuration="fast"
            _hover={{ color: 'fg' }}
            {...tabLooks[look]}
            {...(isCompact && { minH: '7', px: '3' })}
          >
            {tab.label}
          </chakra.button>
        ))}
      </Flex>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} outline="0">
        {children}
      </Box>
    </Flex>
  );
}
