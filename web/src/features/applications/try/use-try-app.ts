import { beginAppTry } from '@orchestrate/shared';
import { useWrite } from '../../../lib/api/use-write.ts';
import { toastRefusal } from '../../../lib/notices/toast-refusal.ts';
import { useOrgCode } from '../use-applications.ts';

/** Begins a try of an application in a new tab. */
export function useTryApp(appId: string) {
  const orgCode = useOrgCode();
  const { run, isPending } = useWrite(beginAppTry);
  const begin = async () => {
    // Opened before the call: after waiting for an answer, browsers would block the tab.
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
