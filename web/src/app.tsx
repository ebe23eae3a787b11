import { ChakraProvider, LocaleProvider } from '@chakra-ui/react';
import { Suspense } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { MissingParts } from './layout/missing-parts.tsx';
import { cacheOptions } from './lib/api/cache.ts';
import RefetchOnReconnect from './lib/api/refetch-on-reconnect.ts';
import { lazyPart } from './lib/browser/lazy-part.ts';
import { useHasToasts } from './lib/notices/toaster.ts';
import { Screens } from './routes.tsx';
import { system } from './theme.ts';

const ToastRegion = lazyPart(async () => {
  const { withWords } = await import('./words/with-words.ts');
  return withWords('layout', () => import('./ui/feedback/toast-region.tsx'));
});

export function App() {
  const hasToasts = useHasToasts();
  return (
    <ChakraProvider value={system}>
      {/* Sets the text direction for dialogs and menus. */}
      <LocaleProvider locale={document.documentElement.lang}>
        <MissingParts />
        <SWRConfig value={cacheOptions}>
          <RefetchOnReconnect />
          <BrowserRouter>
            <Screens />
          </BrowserRouter>
        </SWRConfig>
        {hasToasts && (
          <Suspense>
            <ToastRegion />
          </Suspense>
        )}
      </LocaleProvider>
    </ChakraProvider>
  );
}
