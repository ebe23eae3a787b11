import { lazy, Suspense, useState } from 'react';
import { EntranceFooter, type HelpTopic } from '../../entrance/entrance-footer.tsx';
import { withSignInWords } from '../../words/with-sign-in-words.ts';

const dialogs = {
  help: lazy(() => withSignInWords(() => import('./help-dialog.tsx'))),
  'how-it-works': lazy(() => withSignInWords(() => import('./how-it-works-dialog.tsx'))),
  'lost-phone': lazy(() => withSignInWords(() => import('./lost-phone-dialog.tsx'))),
};

/** Help below the sign-in. The dialogs are loaded on demand. */
export function HelpLinks({ organisation, copyright }: { organisation: string; copyright: string }) {
  const [topic, setTopic] = useState<HelpTopic>();
  const Dialog = topic && dialogs[topic];
  return (
    <>
      <EntranceFooter copyright={copyright} onAsk={setTopic} />
      {Dialog && (
        <Suspense>
          <Dialog organisation={organisation} onClose={() => setTopic(undefined)} />
        </Suspense>
      )}
    </>
  );
}
