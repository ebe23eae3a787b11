import { t } from '@lingui/core/macro';
import { endSession } from '@orchestrate/shared';
import { useWrite } from '../lib/api/use-write.ts';
import { toastRefusal } from '../lib/notices/toast-refusal.ts';
import { toast } from '../lib/notices/toaster.ts';
import type { SignInLine } from './sign-in-lines.ts';

/** Ends sign-ins of a member, one's own where `suid` is absent; a refusal is shown in a toast. */
export function useEndSignIn(suid: string | undefined) {
  const { run, isPending } = useWrite(endSession, { invalidates: ['Sign-ins', 'Remembered Browsers'] });
  const send = async (body: { what: SignInLine['what'] | 'all'; id?: string }, done: string): Promise<boolean> => {
    try {
      await run({ body: { ...body, ...(suid && { suid }) } });
      toast.success(done);
      return true;
    } catch (failure) {
      toastRefusal(failure);
      return false;
    }
  };
  return {
    isPending,
    end: ({ what, id, title }: SignInLine) => send({ what, id }, t`${title} is signed out`),
    endAll: () => send({ what: 'all' }, t`Signed out everywhere else`),
  };
}
