import { t } from '@lingui/core/macro';
import { fullNameOf, getOrgSettings, getUser } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { attributeLabel } from '#lib/format/labels.ts';
import { useCan, useSession } from '#lib/session/session.ts';

/** A member's name; 'One member' until it is loaded, and for readers who may not know it. */
export function useMemberName(suid: string | undefined): string {
  const maySearch = useCan('SEARCH_USER');
  const { data } = useRead(getUser, suid && maySearch ? { query: { suid } } : null);
  return data ? fullNameOf(data.profile) : t`One member`;
}

/** What the organisation calls the primary attribute of its members, in a sentence: 'employee ID'. */
export function usePrimaryAttribute(): string {
  const orgId = useSession()?.orgId ?? '';
  const { data } = useRead(getOrgSettings, { query: { code: orgId } });
  return data ? attributeLabel(data.primaryAttrField) : '…';
}
