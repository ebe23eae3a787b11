import { t } from '@lingui/core/macro';
import { type AppType, checkInvitees, INVITE_EMAILS_MAX, type Member, type ReplyOf } from '@orchestrate/shared';
import useSWR from 'swr';
import { cacheKeyOf } from '#lib/api/cache.ts';
import { call } from '#lib/api/call.ts';

export const HAS_DEVICE_REASON = t`Has already registered a device`;

/**
 * Checks which members can't be or needn't be invited to an app, and why. If the check itself fails, inviting reports
 * the reasons.
 */
export function useInvitationCheck(members: readonly Member[], app: AppType) {
  const orgEmails = members.map(({ primaryEmail }) => primaryEmail);
  const key = orgEmails.length > 0 ? cacheKeyOf(checkInvitees, { body: { orgEmails, type: app } }) : null;
  const { data, isLoading } = useSWR(key, () => checkAll(orgEmails, app));
  return {
    isLoading,
    obstacleOf({ primaryEmail }: Member): string | undefined {
      const person = data?.get(primaryEmail.toLowerCase());
      if (person?.outcome === 'registered') return HAS_DEVICE_REASON;
      return person?.outcome === 'refused' && person.reason ? person.reason : undefined;
    },
  };
}

/** Checks the email addresses in batches that the portal accepts. */
async function checkAll(orgEmails: readonly string[], type: AppType) {
  const byEmail = new Map<string, ReplyOf<typeof checkInvitees>['people'][number]>();
  for (let at = 0; at < orgEmails.length; at += INVITE_EMAILS_MAX) {
    const body = { orgEmails: orgEmails.slice(at, at + INVITE_EMAILS_MAX), type };
    for (const person of (await call(checkInvitees, { body })).people) byEmail.set(person.email, person);
  }
  return byEmail;
}
