import { t } from '@lingui/core/macro';
import { type EditUserForm, type Member, updateUser } from '@orchestrate/shared';
import { useWrite } from '#lib/api/use-write.ts';
import { toast } from '#lib/notices/toaster.ts';

export interface SavedUser {
  member: Member;
  /** True if the new email address still has to be verified with the emailed code. */
  isWaiting: boolean;
  /** The member's new version for `If-Match`. */
  version: string | undefined;
}

/**
 * Saves an edited member (POST user/update) based on a version and reports success.
 * @throws ApiRefusal
 */
export function useSaveUser() {
  const { run } = useWrite(updateUser, { invalidates: ['Member Profile'] });
  return async (
    primaryAttr: string,
    values: EditUserForm,
    { isSelf, ifMatch }: { isSelf: boolean; ifMatch: string | undefined },
  ): Promise<SavedUser> => {
    const { profile: member, pendingEmail, etag } = await run({ body: { ...values, primaryAttr } }, { ifMatch });
    // A user's own new email address takes effect only after they enter the code.
    const isWaiting = isSelf && pendingEmail !== null && pendingEmail.email === values.primaryEmail;
    if (isWaiting) toast.success(t`Code sent to ${pendingEmail.email}`);
    else toast.success(isSelf ? t`Profile updated successfully` : t`User updated successfully`);
    return { member, isWaiting, version: etag };
  };
}
