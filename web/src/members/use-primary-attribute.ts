import { getOrgSettings } from '@orchestrate/shared';
import { useRead } from '../lib/api/use-read.ts';
import { attributeLabel } from '../lib/format/attribute-label.ts';
import { useSession } from '../lib/session/session.ts';

/** What the organisation calls the primary attribute of its members, in a sentence: 'employee ID'. */
export function usePrimaryAttribute(): string {
  const orgId = useSession()?.orgId ?? '';
  const { data } = useRead(getOrgSettings, { query: { code: orgId } });
  return data ? attributeLabel(data.primaryAttrField) : '…';
}
