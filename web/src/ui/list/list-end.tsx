import { Button, Center, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '../feedback/alert-line.tsx';
import { Told } from '../feedback/live-region.tsx';

interface ListEndProps {
  /** The result of `usePages`. */
  list: {
    refusal: ApiRefusal | undefined;
    hasMore: boolean;
    isLoadingMore: boolean;
    loadMore: () => Promise<unknown>;
    refetch: () => Promise<unknown>;
  };
  /** How many are shown, and in words: '214 changes'. */
  count: number;
  counted: string;
}

/** The end of a list that is read page by page: loads more, says why it cannot, or says that this was all. */
export function ListEnd({
  list: { refusal, hasMore, isLoadingMore, loadMore, refetch },
  count,
  counted,
}: ListEndProps) {
  const isEmpty = count === 0;
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
              <Text color="fg.muted">{t`Nothing found so far.`}</Text>
              <Told text={t`Nothing found so far.`} />
            </>
          )}
          <Button variant="outline" loading={isLoadingMore} loadingText={t`Load more`} onClick={() => void loadMore()}>
            {isEmpty ? t`Look further back` : t`Load more`}
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

/** A sentence above a list that says what it holds. */
export function ListLine({ children }: { children: ReactNode }) {
  return (
    <Text role="status" textStyle="sm" color="fg.muted" mt="-2">
      {children}
    </Text>
  );
}
