import { Box, chakra, Text } from '@chakra-ui/react';
import { X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';

export interface Line {
  /** Subject of the line, e.g. a path, shown first. */
  what: string;
  /** Details of the line. */
  how: string;
  /** Accessible name and handler of the remove button; undefined to hide the button. */
  remove?: { label: string; onClick: () => void };
}

interface LineListProps {
  label: string;
  lines: readonly Line[];
  /** True if the lines are paths or identifiers. */
  isCode?: boolean;
}

/** A scrollable list of short facts that fills its card without padding. */
export function LineList({ label, lines, isCode = false }: LineListProps) {
  return (
    <chakra.ul
      aria-label={label}
      listStyleType="none"
      maxH="26rem"
      overflowY="auto"
      // Focusable, so that keyboard users can scroll the list.
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
  /** True once the list is loaded. */
  isRead: boolean;
}

/** Empty state of a list, or blank space until the list is loaded. */
export const EmptyList = ({ isRead, ...state }: EmptyListProps) =>
  isRead ? <EmptyState {...state} /> : <Box h="40" />;

interface ListCountProps {
  /** Number of entries; undefined until they are loaded. */
  of: number | string | undefined;
}

/** Number of entries, shown next to a list's title. */
export const ListCount = ({ of }: ListCountProps) => (
  <Text role="status" textStyle="sm" color="fg.muted">
    {of}
  </Text>
);
