import { Box, Button, Flex, Grid, Skeleton } from '@chakra-ui/react';
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

/** What the page displayed before the client was loaded (`server/src/features/client/first-look.ts`). */
const firstLook = document.getElementById('root')?.innerHTML ?? '';

/**
 * Placeholder until the code of a page is loaded.
 * @param isFirst true keeps the first look, which fits the page
 */
export function PageOutline({ isFirst }: { isFirst: boolean }) {
  if (isFirst && firstLook) return <Box display="contents" dangerouslySetInnerHTML={{ __html: firstLook }} />;
  return (
    <Flex flex="1" p={{ base: '4', md: '8' }}>
      <LoadingPage />
    </Flex>
  );
}

/** Placeholder while the code of a screen in the page's frame is loading. */
export function LoadingPage() {
  return (
    <Flex direction="column" flex="1" gap="7" minH="60dvh" role="status" aria-label={t`Loading`}>
      <Skeleton h="8" w="60" />
      <Grid templateColumns="repeat(auto-fit, minmax(13rem, 1fr))" gap="4">
        <Skeleton h="24" borderRadius="l3" />
        <Skeleton h="24" borderRadius="l3" />
        <Skeleton h="24" borderRadius="l3" />
        <Skeleton h="24" borderRadius="l3" />
      </Grid>
    </Flex>
  );
}
