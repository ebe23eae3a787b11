import { checkInvitees, type InviteeCheck } from '@orchestrate/shared';
import { useState } from 'react';
import { useRead } from '../../lib/api/use-read.ts';
import type { InviteDraft } from './invite-draft.ts';

const inputOf = ({ type, mode, tags }: InviteDraft) => {
  const orgEmails = tags.filter(({ isValid }) => isValid).map(({ text }) => text);
  return mode === 'email' && orgEmails.length > 0 ? { body: { orgEmails, type } } : null;
};

/**
 * What would become of the addresses entered so far. While more are looked up, the last answer stays.
 * @returns `people` to show, and whether they are those of the present draft.
 */
export function useInviteeCheck(draft: InviteDraft): { people: readonly InviteeCheck[]; isCurrent: boolean } {
  const input = inputOf(draft);
  const { data } = useRead(checkInvitees, input);
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  return { people: (input && (data ?? last)?.people) || [], isCurrent: data !== undefined };
}
