import { Button, Center, Text, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '../feedback/alert-line.tsx';
import { LiveRegion } from './empty-state.tsx';

interface ListEndProps {
  /** The result of `usePages`. */
  list: {
    refusal: ApiRefusal | undefined;
    hasMore: boolean;
    isLoadingMore: boolean;
    loadMore: () => Promise<unknown>;
    refetch: () => Promise<unknown>;
  };
  /** Number of loaded items. `counted` is the same number in words, e.g. '214 changes'. */
  count: number;
  counted: string;
}

/** Number of rows up to which a list is obviously complete. */
const SHORT = 10;

/**
 * The end of a paged list: a button to load more, an error if a page failed to load, or a note that the list is
 * complete. For a short list, only screen readers need the note.
 */
export function ListEnd({
  list: { refusal, hasMore, isLoadingMore, loadMore, refetch },
  count,
  counted,
}: ListEndProps) {
  const isEmpty = count === 0;
  if (!refusal && !hasMore && count <= SHORT) return <VisuallyHidden>{t`End of list: ${counted}`}</VisuallyHidden>;
  return (
    <Center p="4" gap="3" borderTopWidth={isEmpty ? '0' : '1px'} minH="17" flexWrap="wrap">
      {refusal ? (
        <>
          <AlertLine>{resultText(refusal)}</AlertLine>
          <Button variant="outline" onClick={() => void refetch()}>
            {t`Retry`}
          </Button>
        </>
      ) : hasMore ? (
        <>
          {isEmpty && (
            <>
              <Text color="fg.muted">{t`No matches so far.`}</Text>
              <LiveRegion text={t`No matches so far.`} />
            </>
          )}
          <Button variant="outline" loading={isLoadingMore} loadingText={t`Load more`} onClick={() => void loadMore()}>
            {isEmpty ? t`Search further back` : t`Load more`}
          </Button>
        </>
      ) : (
        <Text textStyle="sm" color="fg.muted">
          {t`End of list: ${counted}`}
        </Text>
      )}
    </Center>
  );
}

interface ListLineProps {
  /** True if only screen readers need the sentence. */
  isHidden?: boolean;
  children: ReactNode;
}

/** A sentence above a list about the list's content. */
export function ListLine({ isHidden = false, children }: ListLineProps) {
  if (isHidden) return <VisuallyHidden role="status">{children}</VisuallyHidden>;
  return (
    <Text role="status" textStyle="sm" color="fg.muted" mt="-2">
      {children}
    </Text>
  );
}
