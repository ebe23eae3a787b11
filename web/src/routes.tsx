import { PRIVATE_SEGMENTS, PUBLIC_SEGMENTS } from '@orchestrate/shared';
import { Suspense, useState } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import SignInScreen from './features/sign-in/sign-in-screen.tsx';
import { RedirectSignedIn } from './layout/redirect-signed-in.tsx';
import { PageOutline, ScreenBoundary } from './layout/screen-boundary.tsx';
import { lazyPart } from './lib/browser/lazy-part.ts';
import { preloadNextScreen } from './lib/browser/preload-screens.ts';

// Other pages' routes are in separate modules, because each route would add about a hundred bytes to the sign-in
// page, which is part of the first code.
const PublicRoutes = lazyPart(() => withSharedWords(() => import('./public-routes.tsx')));
const PrivateRoutes = lazyPart(() => withSharedWords(() => import('./private-routes.tsx')));

async function withSharedWords<Page>(page: () => Promise<Page>): Promise<Page> {
  const { withWords } = await import('./words/with-words.ts');
  return withWords('layout', page);
}

const PRIVATE: ReadonlySet<string | undefined> = new Set(PRIVATE_SEGMENTS);
const PUBLIC: ReadonlySet<string | undefined> = new Set(['', ...PUBLIC_SEGMENTS]);

/** Routes all pages as described in spec 1 §2. */
export function Screens() {
  const { pathname, search } = useLocation();
  const [, area, page = ''] = pathname.split('/');
  const [firstPath] = useState(pathname);
  // An effect would run only after the screen's code is loaded, because navigation is a transition.
  preloadNextScreen(pathname, search);
  // Private screens have the same first look, so a redirect to another screen keeps it.
  const isFirst = pathname === firstPath || (PRIVATE.has(area) && PRIVATE.has(firstPath.split('/')[1]));
  const isSignIn = !PUBLIC.has(area) && (page === '' || page === 'sign-in');
  return (
    <ScreenBoundary>
      <Suspense fallback={<PageOutline isFirst={isFirst} />}>
        {PRIVATE.has(area) ? <PrivateRoutes /> : isSignIn ? <SignInRoutes /> : <PublicRoutes />}
      </Suspense>
    </ScreenBoundary>
  );
}

function SignInRoutes() {
  return (
    <Routes>
      <Route element={<RedirectSignedIn />}>
        <Route path="/:orgId" element={<SignInScreen />} />
        <Route path="/:orgId/sign-in" element={<SignInScreen />} />
      </Route>
      <Route path="*" element={<PublicRoutes />} />
    </Routes>
  );
}
