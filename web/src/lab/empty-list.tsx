import { Box } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';

interface EmptyListProps extends ComponentProps<typeof EmptyState> {
  /** What is to be listed has been read. */
  isRead: boolean;
}

/** What a list without entries says; before it has been read it does not claim that there is nothing. */
export const EmptyList = ({ isRead, ...state }: EmptyListProps) =>
  isRead ? <EmptyState {...state} /> : <Box h="40" />;
