import { t } from '@lingui/core/macro';
import { type AppType, checkInvitees, INVITE_EMAILS_MAX, type Member } from '@orchestrate/shared';
import { useRead } from '../../../lib/api/use-read.ts';
import { said } from '../../../words/said.ts';

export const HAS_DEVICE = t`Has already registered a device`;

/**
 * Why members need or get no invitation to an app, which only the portal knows. Where it cannot be asked, or there are
 * more than it answers for at once, that is said afterwards.
 */
export function useInvitationCheck(members: readonly Member[], app: AppType) {
  const orgEmails = members.map(({ primaryEmail }) => primaryEmail);
  const isAsked = orgEmails.length > 0 && orgEmails.length <= INVITE_EMAILS_MAX;
  const { data, isLoading } = useRead(checkInvitees, isAsked ? { body: { orgEmails, type: app } } : null);
  const known = new Map(data?.people.map((person) => [person.email, person]));
  return {
    isLoading,
    obstacleOf({ primaryEmail }: Member): string | undefined {
      const person = known.get(primaryEmail.toLowerCase());
      if (person?.outcome === 'registered') return HAS_DEVICE;
      return person?.outcome === 'refused' && person.reason ? said(person.reason) : undefined;
    },
  };
}
