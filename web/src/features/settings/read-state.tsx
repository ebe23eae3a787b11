import { Box } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';

interface ReadStateProps<Data> {
  read: { data: Data | undefined; refusal: ApiRefusal | undefined; refetch: () => Promise<unknown> };
  /** Placeholder in the shape of the content. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows the content, a skeleton while it loads, or why loading failed. */
export function ReadState<Data>({ read: { data, refusal, refetch }, skeleton, children }: ReadStateProps<Data>) {
  if (data) return children(data);
  if (!refusal) {
    return (
      <Box role="status" aria-label={t`Loading settings`}>
        {skeleton}
      </Box>
    );
  }
  return <RefusalState refusal={refusal} onRetry={refetch} level="h2" />;
}
