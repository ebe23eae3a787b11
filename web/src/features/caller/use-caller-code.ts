import { type ReplyOf, startVerbal, verbalLive } from '@orchestrate/shared';
import { useState } from 'react';
import useSWRImmutable from 'swr/immutable';
import type { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { call } from '../../lib/api/call.ts';
import { useLive } from '../../lib/api/use-live.ts';
import { useSession } from '../../lib/session/session.ts';
import { useCountdown } from '../../lib/time/use-countdown.ts';
import type { Verification } from './caller-address.ts';
import { callerState } from './caller-state.ts';

// Keeps counting over all visits to the page: the cache outlives each visit, and each must ask how long its code still
// lives.
let rounds = 0;
const nextRound = () => {
  rounds += 1;
  return rounds;
};

/** The code of a verification; while it is waiting, the portal returns the same one again. */
export function useCallerCode({ epoch }: Verification) {
  const [round] = useState(nextRound);
  const { data, error, isValidating } = useSWRImmutable<ReplyOf<typeof startVerbal>, ApiRefusal>(
    ['caller code', epoch, round],
    () => call(startVerbal, { query: { epoch } }),
    // The old code stays visible until the new one arrives.
    { keepPreviousData: true },
  );
  return { begun: data, refusal: error, isPending: isValidating };
}

/** Follows a code from its creation to the consent. */
export function useCallerState({ code, epoch, idTimeout }: { code: string; epoch: string; idTimeout: number }) {
  const org = useSession()?.orgId ?? '';
  const { message, connection } = useLive(verbalLive, { epoch, org });
  const countdown = useCountdown(idTimeout, code);
  return {
    state: callerState(message, countdown.isExpired || connection === 'closed'),
    countdown,
    isReconnecting: connection === 'reconnecting',
  };
}
