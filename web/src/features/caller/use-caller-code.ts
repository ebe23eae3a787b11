import { type ReplyOf, startVerbal, verbalLive } from '@orchestrate/shared';
import { useState } from 'react';
import useSWRImmutable from 'swr/immutable';
import { now } from '../../adapters/clock.ts';
import { call } from '../../lib/api.ts';
import type { ApiRefusal } from '../../lib/api-refusal.ts';
import { useSession } from '../../lib/session.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import { useLive } from '../../lib/use-live.ts';
import { callerState } from './caller-state.ts';

// Counts on over all visits to the page: the cache outlives each of them, and a code is never shown twice.
let rounds = 0;
const nextRound = () => {
  rounds += 1;
  return rounds;
};

/** A code for a caller, as soon as it is shown; `renew` gets another, and the old one just expires. */
export function useCallerCode() {
  const [round, setRound] = useState(nextRound);
  const { data, error, isValidating } = useSWRImmutable<ReplyOf<typeof startVerbal>, ApiRefusal>(
    ['caller code', round],
    () => call(startVerbal, { query: { epoch: String(now()) } }),
    // The old code stays in its place until the new one is there.
    { keepPreviousData: true },
  );
  return { begun: data, refusal: error, isPending: isValidating, renew: () => setRound(nextRound) };
}

/** Follows a code from the first character to the consent. */
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
