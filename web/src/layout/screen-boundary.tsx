import { Button, Center, Spinner } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { logQuietly } from '#adapters/browser.ts';
import { DEFAULT_TEXT } from '#lib/notices/result-text.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';

interface ScreenBoundaryProps {
  children: ReactNode;
  /** True if the boundary is inside the page's `main`. */
  isInside?: boolean;
}

/**
 * Error boundary that replaces a screen that threw an error. A screen whose files can't be loaded shows its loading
 * state instead (`lazyPart`).
 */
export class ScreenBoundary extends Component<ScreenBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(failure: unknown) {
    logQuietly('Failed to render a screen.', failure);
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
        {t`Something went wrong on this page. Try reloading it.`}
      </MessagePage>
    );
  }
}

/** Placeholder while a screen's code is loading. */
export function LoadingPage() {
  return (
    <Center flex="1" minH="60dvh" role="status" aria-label={t`Loading`}>
      <Spinner size="lg" color="brand.line" />
    </Center>
  );
}
