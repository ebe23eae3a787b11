import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { resultText } from '#lib/notices/result-text.ts';
import type { EmptyStateProps } from '../list/empty-state.tsx';
import { ErrorState } from './error-state.tsx';

interface RefusalStateProps extends Pick<EmptyStateProps, 'level'> {
  refusal: ApiRefusal;
  /** Repeats the request. */
  onRetry: () => unknown;
}

/** Replaces content that the portal refused to return with the reason and a retry button. */
export function RefusalState({ refusal, onRetry, level }: RefusalStateProps) {
  return (
    <ErrorState
      message={resultText(refusal)}
      requestId={refusal.requestId}
      onRetry={() => void onRetry()}
      {...(level && { level })}
    />
  );
}
