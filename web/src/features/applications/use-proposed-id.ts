import { appName, LIMITS, type ReplyOf, validateAppName } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { logQuietly } from '../../adapters/log.ts';
import { call } from '../../lib/api/call.ts';
import { useDebounced } from '../../lib/time/use-debounced.ts';
import { useOrgCode } from './use-applications.ts';

type Proposed = ReplyOf<typeof validateAppName>['result'];

/** The id that an application of this name would get, and whether the name is free; undefined until that is known. */
export function useProposedId(typed: string): Proposed | undefined {
  const orgCode = useOrgCode();
  const name = typed.trim();
  const settled = useDebounced(name, LIMITS.searchDebounceMs);
  const [answer, setAnswer] = useState<{ of: string; result: Proposed }>();
  useEffect(() => {
    if (!orgCode || !appName.safeParse(settled).success) return;
    let isWanted = true;
    call(validateAppName, { params: { orgCode }, body: { appName: settled, orgId: orgCode } })
      .then(({ result }) => isWanted && setAnswer({ of: settled, result }))
      // Sending the form asks again.
      .catch((failure: unknown) => logQuietly('The name could not be checked.', failure));
    return () => {
      isWanted = false;
    };
  }, [orgCode, settled]);
  return answer?.of === name ? answer.result : undefined;
}
