import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { LoadingPage } from './layout/loading-page.tsx';
import { RedirectSignedIn } from './layout/redirect-signed-in.tsx';
import { RequireSession } from './layout/require-session.tsx';
import { ScreenBoundary } from './layout/screen-boundary.tsx';
import { paths } from './paths.ts';

// Each screen is a chunk of its own, fetched when its route is first entered.
const AccessRestrictedPage = lazy(() => import('./features/static-pages/access-restricted-page.tsx'));
const AccessDeniedPage = lazy(() => import('./features/static-pages/access-denied-page.tsx'));
const NotFoundPage = lazy(() => import('./features/static-pages/not-found-page.tsx'));
const StaticMessagePage = lazy(() => import('./features/static-pages/static-message-page.tsx'));
const AuthenticatorPage = lazy(() => import('./authenticator/authenticator-page.tsx'));
const SignInScreen = lazy(() => import('./features/sign-in/sign-in-screen.tsx'));
const Shell = lazy(() => import('./layout/shell.tsx'));
const DashboardScreen = lazy(() => import('./features/dashboard/dashboard-screen.tsx'));
const LoginHistoryScreen = lazy(() => import('./features/dashboard/login-history-screen.tsx'));
const OwnDevices = lazy(() => import('./features/devices/own-devices.tsx'));

/** The router of spec 1 §2. */
export function Screens() {
  return (
    <ScreenBoundary>
      <Suspense fallback={<LoadingPage />}>
        <Routes>
          <Route index element={<AccessRestrictedPage />} />
          <Route path={paths.accessDenied} element={<AccessDeniedPage />} />
          <Route path="/static/*" element={<StaticMessagePage />} />
          <Route path={`${paths.authenticator}/*`} element={<AuthenticatorPage />} />
          <Route element={<RedirectSignedIn />}>
            <Route path="/:orgId" element={<SignInScreen />} />
            <Route path="/:orgId/sign-in" element={<SignInScreen />} />
          </Route>
          <Route element={<RequireSession />}>
            <Route element={<Shell />}>
              <Route path={paths.dashboard} element={<DashboardScreen devices={<OwnDevices />} />} />
              <Route path={paths.loginHistory} element={<LoginHistoryScreen />} />
            </Route>
          </Route>
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </Suspense>
    </ScreenBoundary>
  );
}
