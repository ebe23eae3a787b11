import { Route, Routes } from 'react-router-dom';
import { RedirectSignedIn } from './layout/redirect-signed-in.tsx';
import { lazyPart } from './lib/browser/lazy-part.ts';
import { paths } from './paths.ts';
import { withWords } from './words/with-words.ts';

const AccessRestrictedPage = lazyPart(() =>
  withWords('layout', () => import('./features/static-pages/access-restricted-page.tsx')),
);
const AccessDeniedPage = lazyPart(() =>
  withWords('layout', () => import('./features/static-pages/access-denied-page.tsx')),
);
const NotFoundPage = lazyPart(() => withWords('layout', () => import('./features/static-pages/not-found-page.tsx')));
const StaticMessagePage = lazyPart(() =>
  withWords('layout', () => import('./features/static-pages/static-message-page.tsx')),
);
const AuthenticatorPage = lazyPart(() =>
  withWords('authenticator', () => import('./authenticator/authenticator-page.tsx')),
);
const LabPage = lazyPart(() => withWords('lab', () => import('./lab/lab-page.tsx')));
const ReferencePage = lazyPart(() => withWords('reference', () => import('./reference/reference-page.tsx')));
const DemoPage = lazyPart(() => withWords('demo', () => import('./demo/demo-page.tsx')));
const SignUpScreen = lazyPart(() =>
  withWords('features/sign-up', () => import('./features/sign-up/sign-up-screen.tsx')),
);
const SetupScreen = lazyPart(() => withWords('features/setup', () => import('./features/setup/setup-screen.tsx')));
const FaqPage = lazyPart(() => withWords('features/faq', () => import('./features/faq/faq-page.tsx')));

/** Routes outside the private area, except the sign-in page. `routes.tsx` lists their first path segments. */
export default function PublicRoutes() {
  return (
    <Routes>
      <Route index element={<AccessRestrictedPage />} />
      <Route path={paths.accessDenied} element={<AccessDeniedPage />} />
      <Route path="/static/*" element={<StaticMessagePage />} />
      <Route path={`${paths.authenticator}/*`} element={<AuthenticatorPage />} />
      <Route path={`${paths.lab}/*`} element={<LabPage />} />
      <Route path={`${paths.docs}/*`} element={<ReferencePage />} />
      <Route path="/demo/*" element={<DemoPage />} />
      <Route path={paths.setup} element={<SetupScreen />} />
      <Route path="/:orgId/faq" element={<FaqPage />} />
      <Route element={<RedirectSignedIn />}>
        <Route path="/:orgId/sign-up" element={<SignUpScreen />} />
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
