import { type EditUserForm, getUser, type Member, updateUser } from '@orchestrate/shared';
import { call } from '../../lib/api.ts';
import { toast } from '../../lib/toaster.ts';
import { useWrite } from '../../lib/use-endpoint.ts';

/** Reads what a member is now, past the cache. Throws the refusal. */
export const readPresent = async (suid: string): Promise<Member> => (await call(getUser, { query: { suid } })).profile;

/** Saves an edited member (POST user/update) and says so. Throws the refusal. */
export function useSaveUser() {
  const { run } = useWrite(updateUser, { invalidates: ['Member Profile'] });
  return async (primaryAttr: string, values: EditUserForm, { isSelf }: { isSelf: boolean }): Promise<Member> => {
    const { profile } = await run({ body: { ...values, primaryAttr } });
    toast.success(isSelf ? 'Profile updated successfully' : 'User updated successfully');
    return profile;
  };
}
