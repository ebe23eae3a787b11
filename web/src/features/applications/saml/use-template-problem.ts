import { LIMITS, samlTemplateProblem } from '@orchestrate/shared';
import { useDebounced } from '../../../lib/time/use-debounced.ts';
import { useMemberFields } from './use-member-fields.ts';

/** What is wrong with a template, once typing has paused; undefined where nothing is. */
export function useTemplateProblem(template: string | undefined): string | undefined {
  const settled = useDebounced(template ?? '', LIMITS.searchDebounceMs);
  const problem = samlTemplateProblem(settled, useMemberFields());
  return settled === template ? problem : undefined;
}
