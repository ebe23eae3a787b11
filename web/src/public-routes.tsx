import { lazy } from 'react';
import { Route, Routes } from 'react-router-dom';
import { RedirectSignedIn } from './layout/redirect-signed-in.tsx';
import { paths } from './paths.ts';

const AccessRestrictedPage = lazy(() => import('./features/static-pages/access-restricted-page.tsx'));
const AccessDeniedPage = lazy(() => import('./features/static-pages/access-denied-page.tsx'));
const NotFoundPage = lazy(() => import('./features/static-pages/not-found-page.tsx'));
const StaticMessagePage = lazy(() => import('./features/static-pages/static-message-page.tsx'));
const AuthenticatorPage = lazy(() => import('./authenticator/authenticator-page.tsx'));
const LabPage = lazy(() => import('./lab/lab-page.tsx'));
const ReferencePage = lazy(() => import('./reference/reference-page.tsx'));
const StagePage = lazy(() => import('./stage/stage-page.tsx'));
const SignUpScreen = lazy(() => import('./features/sign-up/sign-up-screen.tsx'));
const SetupScreen = lazy(() => import('./features/setup/setup-screen.tsx'));
const FaqPage = lazy(() => import('./features/faq/faq-page.tsx'));

/** Every page outside the private area except the sign-in page. Their first segments are in `routes.tsx`. */
export default function PublicRoutes() {
  return (
    <Routes>
      <Route index element={<AccessRestrictedPage />} />
      <Route path={paths.accessDenied} element={<AccessDeniedPage />} />
      <Route path="/static/*" element={<StaticMessagePage />} />
      <Route path={`${paths.authenticator}/*`} element={<AuthenticatorPage />} />
      <Route path={`${paths.lab}/*`} element={<LabPage />} />
      <Route path={`${paths.docs}/*`} element={<ReferencePage />} />
      <Route path="/demo/*" element={<StagePage />} />
      <Route path={paths.setup} element={<SetupScreen />} />
      <Route path="/:orgId/faq" element={<FaqPage />} />
      <Route element={<RedirectSignedIn />}>
        <Route path="/:orgId/sign-up" element={<SignUpScreen />} />
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
