import { t } from '@lingui/core/macro';
import { fullNameOf, getOrgSettings, getUser } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { attributeLabel } from '#lib/format/labels.ts';
import { useCan, useSession } from '#lib/session/session.ts';

/** Returns a member's name. Returns 'One member' until the name is loaded, or if the user can't view the member. */
export function useMemberName(suid: string | undefined): string {
  const maySearch = useCan('SEARCH_USER');
  const { data } = useRead(getUser, suid && maySearch ? { query: { suid } } : null);
  return data ? fullNameOf(data.profile) : t`One member`;
}

/** Returns the organisation's label for its primary attribute, for use in a sentence, e.g. 'employee ID'. */
export function usePrimaryAttribute(): string {
  const orgId = useSession()?.orgId ?? '';
  const { data } = useRead(getOrgSettings, { query: { code: orgId } });
  return data ? attributeLabel(data.primaryAttrField) : '…';
}
