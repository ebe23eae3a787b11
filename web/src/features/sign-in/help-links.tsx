import type { OrgSettings } from '@orchestrate/shared';
import { Suspense, useState } from 'react';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { withSignInWords } from '#words/with-sign-in-words.ts';
import { type HelpTopic, PageFooter } from './shared/page-footer.tsx';

const dialogs = {
  help: lazyPart(() => withSignInWords(() => import('./help-dialog.tsx'))),
  'how-it-works': lazyPart(() => withSignInWords(() => import('./how-it-works-dialog.tsx'))),
  'lost-device': lazyPart(() => withSignInWords(() => import('./lost-device-dialog.tsx'))),
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
