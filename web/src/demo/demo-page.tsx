import { Route, Routes } from 'react-router-dom';
import NotFoundPage from '#features/static-pages/not-found-page.tsx';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { useLabTokenFromHash } from '#lib/session/use-lab-token-from-hash.ts';

const AppPage = lazyPart(() => import('./app/app-page.tsx'));
const OpeningPage = lazyPart(() => import('./opening/opening-page.tsx'));
const DemoHome = lazyPart(() => import('./screen/demo-home.tsx'));

/** The `/demo` page: guided scenes with a browser, a phone and the portal's events side by side. */
export default function DemoPage() {
  useLabTokenFromHash();
  return (
    <Routes>
      <Route index element={<OpeningPage />} />
      <Route path="stage" element={<DemoHome />} />
      <Route path="app/:appId" element={<AppPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
