import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { TriangleAlert } from 'lucide-react';
import { EmptyState, type EmptyStateProps } from '../list/empty-state.tsx';
import { CopyButton } from './copy-button.tsx';

interface ErrorStateProps extends Pick<EmptyStateProps, 'level'> {
  message: string;
  onRetry?: () => void;
  /** Request ID, for finding the request in the server log. */
  requestId?: string | undefined;
}

/** Replaces content that couldn't be loaded with an error, a retry button and a request ID to copy. */
export function ErrorState({ message, onRetry, requestId, level = 'h3' }: ErrorStateProps) {
  return (
    <EmptyState
      icon={TriangleAlert}
      title={message}
      level={level}
      action={
        <Flex direction="column" gap="3" align="center">
          {onRetry && (
            <Button variant="outline" onClick={onRetry}>
              {t`Retry`}
            </Button>
          )}
          {requestId && (
            <Flex align="center" gap="1" color="fg.subtle" textStyle="xs">
              <Text>{t`Request ID`}</Text>
              <Text textStyle="code" fontSize="xs">
                {requestId}
              </Text>
              <CopyButton text={requestId} label={t`Copy request ID`} size="xs" />
            </Flex>
          )}
        </Flex>
      }
    />
  );
}
