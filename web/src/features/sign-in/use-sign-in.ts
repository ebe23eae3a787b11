import { type LoginMode, login, loginLive, type ReplyOf } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import useSWRImmutable from 'swr/immutable';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { call } from '../../lib/api/call.ts';
import { useLive } from '../../lib/api/use-live.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { DEFAULT_TEXT } from '../../lib/notices/result-text.ts';
import { type Countdown, useCountdown } from '../../lib/time/use-countdown.ts';
import { exchangeSignIn } from './exchange-sign-in.ts';
import { useAppLoginId } from './use-app-login.ts';

/** A sign-in that has begun: the reply of POST user/login to one of its modes. */
export type StartedSignIn = ReplyOf<typeof login> & { loginId: string; idTimeout: number };

export interface FollowedSignIn {
  /** The live states of the spec, plus `refused` where an approved sign-in could not be exchanged. */
  state: 'init' | 'pending' | 'rejected' | 'success' | 'expired' | 'refused';
  /** The device that answers, once one does. */
  deviceName: string | undefined;
  /** The number that the device asks to compare. */
  matchNumber: string | undefined;
  countdown: Countdown;
  isReconnecting: boolean;
  /** Why the exchange was refused. */
  refusal: ApiRefusal | undefined;
}

/** How long the tick stays before the dashboard opens: long enough to see, too short to be a delay. */
const TICK_MS = 800;

// Keeps counting over all visits to the page: the cache outlives each visit, and a sign-in is never shown twice.
let rounds = 0;
const nextRound = () => {
  rounds += 1;
  return rounds;
};

function startedOf(reply: ReplyOf<typeof login>): StartedSignIn {
  const { loginId, idTimeout } = reply;
  if (!loginId || !idTimeout) throw new ApiRefusal(0, { message: DEFAULT_TEXT });
  return { ...reply, loginId, idTimeout };
}

/**
 * Begins a sign-in to be scanned, typed or answered by a passkey on mount; `renew` begins another, and the old one just
 * expires.
 */
export function useStartedSignIn(orgCode: string, mode: Extract<LoginMode, 'QID' | 'DID' | 'WEBAUTHN'>) {
  const appLoginId = useAppLoginId();
  const [firstRound] = useState(nextRound);
  const [round, setRound] = useState(firstRound);
  const { data, error, isValidating } = useSWRImmutable<StartedSignIn, ApiRefusal>(
    ['sign-in', orgCode, mode, appLoginId, round],
    async () => startedOf(await call(login, { body: { orgCode, mode, appLoginId } })),
    // The expired code stays visible until the new one arrives.
    { keepPreviousData: true },
  );
  return {
    started: data,
    refusal: error,
    isPending: isValidating,
    isRenewed: round !== firstRound,
    renew: () => setRound(nextRound),
  };
}

/** Sends a request to the devices of the person whom `ask` names; `started` is undefined until that has succeeded. */
export function usePushSignIn(orgCode: string) {
  const appLoginId = useAppLoginId();
  const { run, isPending, refusal, reset } = useWrite(login);
  const [started, setStarted] = useState<StartedSignIn>();

  const ask = async (primaryAttr: string) => {
    try {
      setStarted(startedOf(await run({ body: { orgCode, mode: 'PUSH', primaryAttr, appLoginId } })));
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) throw failure;
      setStarted(undefined);
    }
  };
  const leave = () => {
    setStarted(undefined);
    reset();
  };
  return { started, isPending, refusal, ask, leave, reset };
}

/** Exchanges an approved sign-in once, however often the live channel repeats its token; returns the next step. */
function useExchange(loginId: string, exchangeToken: string | undefined) {
  const appLoginId = useAppLoginId();
  const { data, error } = useSWRImmutable<() => void, ApiRefusal>(
    exchangeToken ? ['sign-in exchange', loginId] : null,
    () => exchangeSignIn(loginId, exchangeToken ?? '', appLoginId),
  );
  return { goOn: data, refusal: error };
}

/**
 * Follows a sign-in from init to success. A moment after success the session begins, and the route's guard opens the
 * portal, or the browser goes back to the application. One that ran out by this browser's own clock counts as expired
 * even while the connection is lost, because its code has certainly stopped working.
 */
export function useFollowedSignIn({ loginId, idTimeout, matchNumber }: StartedSignIn): FollowedSignIn {
  const { message, connection } = useLive(loginLive, { loginId });
  const countdown = useCountdown(idTimeout, loginId);
  const { goOn, refusal } = useExchange(loginId, message?.exchangeToken);

  useEffect(() => {
    if (!goOn) return;
    const timer = setTimeout(goOn, TICK_MS);
    return () => clearTimeout(timer);
  }, [goOn]);

  // A push is pending from the start; people see it as waiting until one of their devices has opened it.
  const isTakenUp = message?.state !== 'pending' || message.deviceName !== undefined;
  const live = (isTakenUp && message?.state) || 'init';
  const isOpen = live === 'init' || live === 'pending';
  const isOver = isOpen && (countdown.isExpired || connection === 'closed');
  return {
    state: refusal ? 'refused' : isOver ? 'expired' : live,
    deviceName: message?.deviceName,
    matchNumber,
    countdown,
    isReconnecting: isOpen && !isOver && connection === 'reconnecting',
    refusal,
  };
}
