import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { TriangleAlert } from 'lucide-react';
import { EmptyState, type EmptyStateProps } from '../list/empty-state.tsx';
import { CopyButton } from './copy-button.tsx';

interface ErrorStateProps extends Pick<EmptyStateProps, 'level'> {
  message: string;
  onRetry?: () => void;
  /** Helps people who read the server's log. */
  requestId?: string | undefined;
}

/** Something could not be read: a sentence, a retry, and the request id to copy. */
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
              <Text>{t`Request`}</Text>
              <Text textStyle="code" fontSize="xs">
                {requestId}
              </Text>
              <CopyButton text={requestId} label={t`Copy request id`} size="xs" />
            </Flex>
          )}
        </Flex>
      }
    />
  );
}
