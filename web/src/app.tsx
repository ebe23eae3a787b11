import { ChakraProvider, LocaleProvider } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { cacheOptions } from './lib/api/cache-options.ts';
import { useHasToasts } from './lib/notices/toaster.ts';
import { Screens } from './routes.tsx';
import { system } from './theme.ts';

const RefetchOnReconnect = lazy(() => import('./lib/api/refetch-on-reconnect.ts'));
const ToastRegion = lazy(() => import('./ui/toast-region.tsx'));

export function App() {
  const hasToasts = useHasToasts();
  return (
    <ChakraProvider value={system}>
      {/* Dialogs and menus run as the page does. */}
      <LocaleProvider locale={document.documentElement.lang}>
        <SWRConfig value={cacheOptions}>
          <Suspense>
            <RefetchOnReconnect />
          </Suspense>
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
