import { t } from '@lingui/core/macro';
import { fullNameOf, getOrgSettings, getUser } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { attributeLabel } from '#lib/format/labels.ts';
import { useCan, useSession } from '#lib/session/session.ts';

/** Returns a member's name; 'One member' until it is loaded, or if the user can't view it. */
export function useMemberName(suid: string | undefined): string {
  const maySearch = useCan('SEARCH_USER');
  const { data } = useRead(getUser, suid && maySearch ? { query: { suid } } : null);
  return data ? fullNameOf(data.profile) : t`One member`;
}

/** Returns the organisation's name for its primary attribute, within a sentence: 'employee ID'. */
export function usePrimaryAttribute(): string {
  const orgId = useSession()?.orgId ?? '';
  const { data } = useRead(getOrgSettings, { query: { code: orgId } });
  return data ? attributeLabel(data.primaryAttrField) : '…';
}
