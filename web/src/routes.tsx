import { lazy, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { LoadingPage } from './layout/loading-page.tsx';
import { RedirectSignedIn } from './layout/redirect-signed-in.tsx';
import { ScreenBoundary } from './layout/screen-boundary.tsx';
import { paths } from './paths.ts';

// Each screen is a chunk of its own, fetched when its route is first entered.
const AccessRestrictedPage = lazy(() => import('./features/static-pages/access-restricted-page.tsx'));
const AccessDeniedPage = lazy(() => import('./features/static-pages/access-denied-page.tsx'));
const NotFoundPage = lazy(() => import('./features/static-pages/not-found-page.tsx'));
const StaticMessagePage = lazy(() => import('./features/static-pages/static-message-page.tsx'));
const AuthenticatorPage = lazy(() => import('./authenticator/authenticator-page.tsx'));
const LabPage = lazy(() => import('./lab/lab-page.tsx'));
const SignInScreen = lazy(() => import('./features/sign-in/sign-in-screen.tsx'));
const SignUpScreen = lazy(() => import('./features/sign-up/sign-up-screen.tsx'));
const FaqPage = lazy(() => import('./features/faq/faq-page.tsx'));
const PrivateRoutes = lazy(() => import('./private-routes.tsx'));

/** First segments of the private area, whose routes come in a chunk of their own. */
const PRIVATE: ReadonlySet<string | undefined> = new Set([
  'dashboard',
  'authenticate-caller',
  'manage-users',
  'direct-reports',
  'org-settings',
  'applications',
]);

/** The router of spec 1 §2. */
export function Screens() {
  const [, area] = useLocation().pathname.split('/');
  return (
    <ScreenBoundary>
      <Suspense fallback={<LoadingPage />}>{PRIVATE.has(area) ? <PrivateRoutes /> : <PublicRoutes />}</Suspense>
    </ScreenBoundary>
  );
}

function PublicRoutes() {
  return (
    <Routes>
      <Route index element={<AccessRestrictedPage />} />
      <Route path={paths.accessDenied} element={<AccessDeniedPage />} />
      <Route path="/static/*" element={<StaticMessagePage />} />
      <Route path={`${paths.authenticator}/*`} element={<AuthenticatorPage />} />
      <Route path={paths.lab} element={<LabPage />} />
      <Route path="/:orgId/faq" element={<FaqPage />} />
      <Route element={<RedirectSignedIn />}>
        <Route path="/:orgId" element={<SignInScreen />} />
        <Route path="/:orgId/sign-in" element={<SignInScreen />} />
        <Route path="/:orgId/sign-up" element={<SignUpScreen />} />
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
