import { type EditUserForm, type Member, updateUser } from '@orchestrate/shared';
import { toast } from '../../lib/toaster.ts';
import { useWrite } from '../../lib/use-endpoint.ts';

export interface SavedUser {
  member: Member;
  /** Whether the new address waits for the code that was sent there. */
  isWaiting: boolean;
  /** What the member then is, for `If-Match`. */
  version: string | undefined;
}

/** Saves an edited member (POST user/update) on top of a version, and says so. Throws the refusal. */
export function useSaveUser() {
  const { run } = useWrite(updateUser, { invalidates: ['Member Profile'] });
  return async (
    primaryAttr: string,
    values: EditUserForm,
    { isSelf, ifMatch }: { isSelf: boolean; ifMatch: string | undefined },
  ): Promise<SavedUser> => {
    const { profile: member, pendingEmail, etag } = await run({ body: { ...values, primaryAttr } }, { ifMatch });
    // One's own new address counts once its code has come back.
    const isWaiting = isSelf && pendingEmail !== null && pendingEmail.email === values.primaryEmail;
    if (isWaiting) toast.success(`Code sent to ${pendingEmail.email}`);
    else toast.success(isSelf ? 'Profile updated successfully' : 'User updated successfully');
    return { member, isWaiting, version: etag };
  };
}
