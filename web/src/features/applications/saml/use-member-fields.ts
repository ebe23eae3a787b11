import { getOrgSettings, MEMBER_FIELDS } from '@orchestrate/shared';
import { useRead } from '../../../lib/api/use-read.ts';
import { useOrgCode } from '../use-applications.ts';

/** The member fields that a service provider can be told: the standard ones, and the organisation's own. */
export function useMemberFields(): string[] {
  const orgCode = useOrgCode();
  const { data } = useRead(getOrgSettings, orgCode ? { query: { code: orgCode } } : null);
  return [...new Set<string>([...MEMBER_FIELDS, ...(data ? [data.primaryAttrField] : [])])];
}
