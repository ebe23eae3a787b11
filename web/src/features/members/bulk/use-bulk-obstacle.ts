import type { Member } from '@orchestrate/shared';
import { useSession } from '#lib/session/session.ts';
import { memberRightsOf } from '../member-rights.ts';
import { useAuthority } from '../use-member-rights.ts';
import type { BulkAction, BulkChoice } from './bulk-actions.ts';

/** Why the signed-in person cannot take an action on a member, or need not. */
export function useBulkObstacle() {
  const profile = useSession()?.profile;
  const mayActOn = useAuthority();
  return (action: BulkAction, member: Member, choice: Pick<BulkChoice, 'roleCode'> = { roleCode: '' }) =>
    action.obstacleOf(member, memberRightsOf(profile, member, mayActOn(member.role)), choice);
}
