import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { useCallback, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { ApiRefusal } from './api-refusal.ts';
import { type CacheGroup, isInGroups } from './cache-groups.ts';
import { type CallOptions, call, type Replied } from './call.ts';
import { freshenLists } from './paged-lists.ts';

/**
 * Makes the named groups of cached answers stale and reads visible ones again. The activity lists are always included,
 * because every change appears in one.
 */
export function useInvalidate(): (...groups: CacheGroup[]) => Promise<void> {
  const { cache, mutate } = useSWRConfig();
  return useCallback(
    async (...named) => {
      const groups: CacheGroup[] = [...named, 'Activity'];
      await mutate((key) => isInGroups(key, groups));
      await freshenLists(cache, mutate, (name) => isInGroups([name], groups));
    },
    [cache, mutate],
  );
}

/**
 * Calls an endpoint that changes something. `run` returns as `call` does and throws the refusal, which is also in
 * `refusal` until the next run or `reset`; the groups in `invalidates` are read again after a success.
 */
export function useWrite<E extends EndpointDefinition>(
  entry: E,
  options: { invalidates?: readonly CacheGroup[] } = {},
) {
  const invalidate = useInvalidate();
  const [state, setState] = useState<{ isPending: boolean; refusal: ApiRefusal | undefined }>(idle);
  const groups = useRef(options.invalidates ?? []);

  const run = useCallback(
    async (input: InputOf<E>, given?: CallOptions): Promise<Replied<E>> => {
      setState({ isPending: true, refusal: undefined });
      try {
        const reply = await call(entry, input, given);
        setState(idle);
        await invalidate(...groups.current);
        return reply;
      } catch (failure) {
        if (failure instanceof ApiRefusal) setState({ isPending: false, refusal: failure });
        else setState(idle);
        throw failure;
      }
    },
    [entry, invalidate],
  );
  const reset = useCallback(() => setState(idle), []);
  return { run, reset, ...state };
}

const idle = { isPending: false, refusal: undefined };
