import { t } from '@lingui/core/macro';
import { fullNameOf, getUser } from '@orchestrate/shared';
import { useRead } from '../lib/api/use-read.ts';
import { useCan } from '../lib/session/session.ts';

/** A member's name; 'One member' until it is loaded, and for readers who may not know it. */
export function useMemberName(suid: string | undefined): string {
  const maySearch = useCan('SEARCH_USER');
  const { data } = useRead(getUser, suid && maySearch ? { query: { suid } } : null);
  return data ? fullNameOf(data.profile) : t`One member`;
}
