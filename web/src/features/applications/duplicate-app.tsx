import { Suspense } from 'react';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import type { DuplicatedApp } from './duplicate-app-dialog.tsx';

const DuplicateAppDialog = lazyPart(() => import('./duplicate-app-dialog.tsx'));

/**
 * Renders the dialog that duplicates an application. The dialog is loaded on first use.
 * @param app undefined closes the dialog
 */
export function DuplicateApp({ app, onClose }: { app: DuplicatedApp | undefined; onClose: () => void }) {
  const { shown, isOpen, forget } = useValueDuringExit(app ?? null);
  if (!shown) return null;
  return (
    <Suspense>
      <DuplicateAppDialog key={shown.appId} app={shown} isOpen={isOpen} onClose={onClose} onExitComplete={forget} />
    </Suspense>
  );
}
