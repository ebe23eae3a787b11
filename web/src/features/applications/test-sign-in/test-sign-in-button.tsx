import { t } from '@lingui/core/macro';
import { beginAppTry } from '@orchestrate/shared';
import { FlaskConical } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { useWrite } from '#lib/api/use-write.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { useOrgCode } from '../use-applications.ts';

/** Starts a test sign-in to an application in a new tab. */
function useTestSignIn(appId: string) {
  const orgCode = useOrgCode();
  const { run, isPending } = useWrite(beginAppTry);
  const begin = async () => {
    // Opened before the request, because browsers block tabs that open after waiting for a response.
    const tab = window.open('', '_blank');
    try {
      const { url } = await run({ params: { orgCode, appId }, body: {} });
      if (tab) {
        tab.opener = null;
        tab.location.replace(url);
      } else window.location.assign(url);
    } catch (failure) {
      tab?.close();
      toastRefusal(failure);
    }
  };
  return { begin, isPending };
}

/** Runs a real sign-in with the saved settings and shows the result. */
export function TestSignInButton({ appId }: { appId: string }) {
  const { isDirty } = useFormContext<AppForm>().formState;
  const { begin, isPending } = useTestSignIn(appId);
  return (
    <ExplainedButton
      variant="outline"
      obstacle={isDirty ? t`Save your changes first. Only saved settings can be tested` : undefined}
      loading={isPending}
      loadingText={t`Test sign-in`}
      onClick={() => void begin()}
    >
      <FlaskConical />
      {t`Test sign-in`}
    </ExplainedButton>
  );
}
