import { getOrgSettings, LIMITS, MEMBER_FIELDS, samlTemplateProblem } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { useDebounced } from '#lib/time/timers.ts';
import { useOrgCode } from '../use-applications.ts';

/** Returns the template's error once typing has paused, or undefined if the template is valid. */
export function useTemplateProblem(template: string | undefined): string | undefined {
  const settled = useDebounced(template ?? '', LIMITS.searchDebounceMs);
  const problem = samlTemplateProblem(settled, useMemberFields());
  return settled === template ? problem : undefined;
}

/**
 * Returns the member fields that a service provider can receive: the standard fields and the organisation's custom
 * fields.
 */
export function useMemberFields(): string[] {
  const orgCode = useOrgCode();
  const { data } = useRead(getOrgSettings, orgCode ? { query: { code: orgCode } } : null);
  return [...new Set<string>([...MEMBER_FIELDS, ...(data ? [data.primaryAttrField] : [])])];
}
