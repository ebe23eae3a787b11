import { type EditUserForm, type Member, updateUser } from '@orchestrate/shared';
import { toast } from '../../lib/toaster.ts';
import { useWrite } from '../../lib/use-endpoint.ts';

/** Saves an edited member (POST user/update) and says so. Throws the refusal. */
export function useSaveUser() {
  const { run } = useWrite(updateUser, { invalidates: ['Member Profile'] });
  return async (primaryAttr: string, values: EditUserForm, { isSelf }: { isSelf: boolean }): Promise<Member> => {
    const { profile } = await run({ body: { ...values, primaryAttr } });
    toast.success(isSelf ? 'Profile updated successfully' : 'User updated successfully');
    return profile;
  };
}
