import type { Member } from '@orchestrate/shared';
import { useSession } from '#lib/session/session.ts';
import { memberRightsOf } from '../member-rights.ts';
import { useAuthority } from '../use-member-rights.ts';
import type { BulkAction, BulkChoice } from './bulk-actions.ts';

/** Returns a function that explains why the signed-in user can't perform an action on a member, or doesn't need to. */
export function useBulkObstacle() {
  const profile = useSession()?.profile;
  const mayActOn = useAuthority();
  return (action: BulkAction, member: Member, choice: Pick<BulkChoice, 'roleCode'> = { roleCode: '' }) =>
    action.obstacleOf(member, memberRightsOf(profile, member, mayActOn(member.role)), choice);
}
