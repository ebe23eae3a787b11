import { type EditUserForm, getUser, type Member, updateUser } from '@orchestrate/shared';
import { call } from '../../lib/api.ts';
import { toast } from '../../lib/toaster.ts';
import { useWrite } from '../../lib/use-endpoint.ts';

/** Reads what a member is now, past the cache. Throws the refusal. */
export const readPresent = async (suid: string): Promise<Member> => (await call(getUser, { query: { suid } })).profile;

export interface SavedUser {
  member: Member;
  /** Whether the new address waits for the code that was sent there. */
  isWaiting: boolean;
}

/** Saves an edited member (POST user/update) and says so. Throws the refusal. */
export function useSaveUser() {
  const { run } = useWrite(updateUser, { invalidates: ['Member Profile'] });
  return async (primaryAttr: string, values: EditUserForm, { isSelf }: { isSelf: boolean }): Promise<SavedUser> => {
    const { profile: member, pendingEmail } = await run({ body: { ...values, primaryAttr } });
    // One's own new address counts once its code has come back.
    const isWaiting = isSelf && pendingEmail !== null && pendingEmail.email === values.primaryEmail;
    if (isWaiting) toast.success(`Code sent to ${pendingEmail.email}`);
    else toast.success(isSelf ? 'Profile updated successfully' : 'User updated successfully');
    return { member, isWaiting };
  };
}
