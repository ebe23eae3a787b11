import { type LoginMode, login, loginLive, type ReplyOf, SECOND } from '@orchestrate/shared';
import { useEffect, useRef, useState } from 'react';
import useSWRImmutable from 'swr/immutable';
import { now } from '#adapters/clock.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useLive } from '#lib/api/use-live.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { DEFAULT_TEXT } from '#lib/notices/result-text.ts';
import { type Countdown, useCountdown } from '#lib/time/timers.ts';
import { exchangeSignIn } from './exchange-sign-in.ts';
import {
  findPendingSignIn,
  followPendingSignIn,
  forgetPendingSignIn,
  type StartedSignIn,
  storePendingSignIn,
  withdrawPendingSignIn,
} from './pending-sign-in.ts';
import { useAppLoginId } from './use-app-login.ts';

export interface FollowedSignIn {
  /** The live states of the spec, plus `refused` if an approved sign-in couldn't be exchanged. */
  state: 'init' | 'pending' | 'rejected' | 'success' | 'expired' | 'refused';
  /** Name of the answering device, once there is one. */
  deviceName: string | undefined;
  /** Number to compare on the device. */
  matchNumber: string | undefined;
  countdown: Countdown;
  isReconnecting: boolean;
  /** Reason why the exchange was refused. */
  refusal: ApiRefusal | undefined;
}

/**
 * Time that the tick stays before the dashboard opens, in milliseconds: long enough to see, too short to feel like a
 * delay.
 */
const TICK_MS = 800;

// Counts all visits to the page: the cache outlives each visit, and a sign-in must never be displayed twice.
let rounds = 0;
const nextRound = () => {
  rounds += 1;
  return rounds;
};

function startedOf(reply: ReplyOf<typeof login>): StartedSignIn {
  const { loginId, idTimeout } = reply;
  if (!loginId || !idTimeout) throw new ApiRefusal(0, { message: DEFAULT_TEXT });
  return { ...reply, loginId, idTimeout, endsAt: now() + idTimeout * SECOND };
}

/**
 * Starts a sign-in to be scanned, typed or answered with a passkey on mount, or resumes the one from before a reload;
 * `renew` starts another.
 */
export function useStartedSignIn(orgCode: string, mode: Extract<LoginMode, 'QID' | 'DID' | 'WEBAUTHN'>) {
  const appLoginId = useAppLoginId();
  const [firstRound] = useState(nextRound);
  const [round, setRound] = useState(firstRound);
  const { data, error, isValidating } = useSWRImmutable<StartedSignIn, ApiRefusal>(
    ['sign-in', orgCode, mode, appLoginId, round],
    async () => {
      if (mode === 'WEBAUTHN') return startedOf(await call(login, { body: { orgCode, mode, appLoginId } }));
      const aim = { orgCode, mode, appLoginId };
      const pending = round === firstRound ? findPendingSignIn(aim) : undefined;
      if (pending) return pending.started;
      const started = startedOf(await call(login, { body: aim }));
      storePendingSignIn({ ...aim, started });
      return started;
    },
    // Keeps the expired code visible until the new one arrives.
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

/**
 * Sends a request to the devices of the user named in `ask`; `started` is undefined until that has succeeded. Resumes a
 * request from before a reload.
 */
export function usePushSignIn(orgCode: string) {
  const aim = { orgCode, mode: 'PUSH' as const, appLoginId: useAppLoginId() };
  const { run, isPending, refusal, reset } = useWrite(login);
  const [resumed] = useState(() => findPendingSignIn(aim));
  const [started, setStarted] = useState(resumed?.started);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const ask = async (primaryAttr: string) => {
    try {
      const next = startedOf(await run({ body: { ...aim, primaryAttr } }));
      storePendingSignIn({ ...aim, started: next, name: primaryAttr });
      // The user has left the form in the meantime.
      if (!isMounted.current) withdrawPendingSignIn(next.loginId);
      setStarted(next);
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) throw failure;
      setStarted(undefined);
    }
  };
  const leave = () => {
    setStarted(undefined);
    reset();
  };
  return { started, resumedName: resumed?.name ?? '', isPending, refusal, ask, leave, reset };
}

/** Exchanges an approved sign-in once, however often the live channel repeats its token; returns the next step. */
function useExchange(loginId: string, exchangeToken: string | undefined) {
  const appLoginId = useAppLoginId();
  const { data, error } = useSWRImmutable<() => void, ApiRefusal>(
    exchangeToken ? ['sign-in exchange', loginId] : null,
    () => exchangeSignIn(loginId, exchangeToken ?? '', appLoginId),
  );
  return { resume: data, refusal: error };
}

/**
 * Follows a sign-in from init to success. Shortly after success the session starts, and the route's guard opens the
 * portal, or the browser returns to the application. A sign-in that has ended by this browser's clock counts as expired
 * even while disconnected, because its code no longer works.
 */
export function useFollowedSignIn({ loginId, idTimeout, endsAt, matchNumber }: StartedSignIn): FollowedSignIn {
  const { message, connection } = useLive(loginLive, { loginId });
  const countdown = useCountdown(idTimeout, loginId, endsAt);
  const { resume, refusal } = useExchange(loginId, message?.exchangeToken);

  useEffect(() => {
    if (!resume) return;
    const timer = setTimeout(resume, TICK_MS);
    return () => clearTimeout(timer);
  }, [resume]);

  // A push is pending from the start; it is displayed as waiting until one of the user's devices has opened it.
  const isTakenUp = message?.state !== 'pending' || message.deviceName !== undefined;
  const live = (isTakenUp && message?.state) || 'init';
  const isOpen = live === 'init' || live === 'pending';
  const isOver = isOpen && (countdown.isExpired || connection === 'closed');
  const isPending = isOpen && !isOver;

  useEffect(() => followPendingSignIn(loginId), [loginId]);
  useEffect(() => {
    if (!isPending) forgetPendingSignIn(loginId);
  }, [isPending, loginId]);

  return {
    state: refusal ? 'refused' : isOver ? 'expired' : live,
    deviceName: message?.deviceName,
    matchNumber,
    countdown,
    isReconnecting: isPending && connection === 'reconnecting',
    refusal,
  };
}
