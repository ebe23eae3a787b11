import { Box, chakra, Text } from '@chakra-ui/react';
import { X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';

export interface Line {
  /** What it is about, e.g. an address. */
  what: string;
  /** What happens there. */
  how: string;
  /** Where it can be removed, with the name of that. */
  remove?: { label: string; onClick: () => void };
}

interface LineListProps {
  label: string;
  lines: readonly Line[];
  /** For addresses and other things that programs read. */
  isCode?: boolean;
}

/** A list of short facts that reaches the edges of its card; a long one scrolls. */
export function LineList({ label, lines, isCode = false }: LineListProps) {
  return (
    <chakra.ul
      aria-label={label}
      listStyleType="none"
      maxH="26rem"
      overflowY="auto"
      // Focusable, because it may scroll.
      tabIndex={0}
      outline="0"
      focusVisibleRing="inside"
    >
      {lines.map(({ what, how, remove }, at) => (
        <chakra.li
          key={at}
          display="flex"
          alignItems="center"
          gap="3"
          ps="5"
          pe="3"
          minH="13"
          py="2"
          borderBottomWidth="1px"
          _last={{ borderBottomWidth: '0' }}
        >
          <Box flex="1" minW="0">
            <Text overflowWrap="anywhere" {...(isCode && { textStyle: 'code', fontSize: 'sm' })}>
              {what}
            </Text>
            <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
              {how}
            </Text>
          </Box>
          {remove && (
            <ActionButton label={remove.label} onClick={remove.onClick}>
              <X />
            </ActionButton>
          )}
        </chakra.li>
      ))}
    </chakra.ul>
  );
}

interface EmptyListProps extends ComponentProps<typeof EmptyState> {
  /** What is to be listed has been read. */
  isRead: boolean;
}

/** What a list without entries says; before it has been read it does not claim that there is nothing. */
export const EmptyList = ({ isRead, ...state }: EmptyListProps) =>
  isRead ? <EmptyState {...state} /> : <Box h="40" />;

interface ListCountProps {
  /** How many there are in all; undefined before they have been read. */
  of: number | string | undefined;
}

/** How many a list has, beside its title; before it has been read it claims nothing. */
export const ListCount = ({ of }: ListCountProps) => (
  <Text role="status" textStyle="sm" color="fg.muted">
    {of}
  </Text>
);
