import { Button } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { logQuietly } from '../adapters/log.ts';
import { DEFAULT_TEXT } from '../lib/notices/result-text.ts';
import { MessagePage } from '../ui/message-page.tsx';

/** Replaces a screen that failed to load or render: usually a new release has replaced the open page's files. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
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
        icon={TriangleAlert}
        tone="danger"
        title={DEFAULT_TEXT}
        action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        The page could not be shown. Reloading usually helps.
      </MessagePage>
    );
  }
}
