import { getOrgSettings, MEMBER_FIELDS } from '@orchestrate/shared';
import { useRead } from '../../lib/use-endpoint.ts';
import { useOrgCode } from './use-applications.ts';

/** What of a member can be told to a service provider: the fields of everybody, and the organisation's own. */
export function useMemberFields(): string[] {
  const orgCode = useOrgCode();
  const { data } = useRead(getOrgSettings, orgCode ? { query: { code: orgCode } } : null);
  return [...new Set<string>([...MEMBER_FIELDS, ...(data ? [data.primaryAttrField] : [])])];
}
