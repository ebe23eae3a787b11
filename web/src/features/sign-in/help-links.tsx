import type { OrgSettings } from '@orchestrate/shared';
import { Suspense, useState } from 'react';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { withDialogWords } from '#words/with-sign-in-words.ts';
import { type HelpTopic, PageFooter } from './shared/page-footer.tsx';

const dialogs = {
  help: lazyPart(() => withDialogWords(() => import('./help-dialog.tsx'))),
  'how-it-works': lazyPart(() => withDialogWords(() => import('./how-it-works-dialog.tsx'))),
  'lost-device': lazyPart(() => withDialogWords(() => import('./lost-device-dialog.tsx'))),
};

/** Help links below the sign-in form. The dialogs are loaded on demand. */
export function HelpLinks({ settings }: { settings: OrgSettings }) {
  const [topic, setTopic] = useState<HelpTopic>();
  const Dialog = topic && dialogs[topic];
  return (
    <>
      <PageFooter settings={settings} onAsk={setTopic} />
      {Dialog && (
        <Suspense>
          <Dialog settings={settings} onClose={() => setTopic(undefined)} />
        </Suspense>
      )}
    </>
  );
}
