import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { logQuietly } from '#adapters/log.ts';
import { DEFAULT_TEXT } from '#lib/notices/result-text.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';

interface ScreenBoundaryProps {
  children: ReactNode;
  /** Whether the page has its `main` already. */
  isInside?: boolean;
}

/** Replaces a screen that failed to render, or to start. One whose files cannot be loaded waits (`lazyPart`). */
export class ScreenBoundary extends Component<ScreenBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(failure: unknown) {
    logQuietly('A screen could not be shown.', failure);
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <MessagePage
        as={this.props.isInside ? 'div' : 'main'}
        icon={TriangleAlert}
        tone="danger"
        title={DEFAULT_TEXT}
        action={<Button onClick={() => window.location.reload()}>{t`Reload the page`}</Button>}
      >
        {t`This page couldn't be displayed. Reloading usually helps.`}
      </MessagePage>
    );
  }
}
