import { t } from '@lingui/core/macro';
import { type EditUserForm, type Member, updateUser } from '@orchestrate/shared';
import { useWrite } from '#lib/api/use-write.ts';
import { toast } from '#lib/notices/toaster.ts';

export interface SavedUser {
  member: Member;
  /** True if the new address still has to be verified with the emailed code. */
  isWaiting: boolean;
  /** The member's new version, for `If-Match`. */
  version: string | undefined;
}

/** Saves an edited member (POST user/update) based on a version, and reports success. Throws ApiRefusal. */
export function useSaveUser() {
  const { run } = useWrite(updateUser, { invalidates: ['Member Profile'] });
  return async (
    primaryAttr: string,
    values: EditUserForm,
    { isSelf, ifMatch }: { isSelf: boolean; ifMatch: string | undefined },
  ): Promise<SavedUser> => {
    const { profile: member, pendingEmail, etag } = await run({ body: { ...values, primaryAttr } }, { ifMatch });
    // The user's own new address takes effect once its code has been entered.
    const isWaiting = isSelf && pendingEmail !== null && pendingEmail.email === values.primaryEmail;
    if (isWaiting) toast.success(t`Code sent to ${pendingEmail.email}`);
    else toast.success(isSelf ? t`Profile updated successfully` : t`User updated successfully`);
    return { member, isWaiting, version: etag };
  };
}
