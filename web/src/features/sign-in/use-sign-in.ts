import { type LoginMode, login, loginLive } from '@orchestrate/shared';
import { useEffect, useRef, useState } from 'react';
import useSWRImmutable from 'swr/immutable';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useLive } from '#lib/api/use-live.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { type Countdown, useCountdown } from '#lib/time/timers.ts';
import { exchangeSignIn } from './exchange-sign-in.ts';
import {
  findPendingSignIn,
  forgetPendingSignIn,
  type PendingSignIn,
  type StartedSignIn,
  startedOf,
  storePendingSignIn,
  trackDisplayedSignIn,
  withdrawPendingSignIn,
} from './pending-sign-in.ts';
import { useAppSignInId } from './use-app-login.ts';

export interface SignInProgress {
  /** The spec's live states, plus `refused` if an approved sign-in couldn't be exchanged. */
  state: 'init' | 'pending' | 'rejected' | 'success' | 'expired' | 'refused';
  /** Name of the responding device; undefined until a device responds. */
  deviceName: string | undefined;
  /** Number to compare on the device. */
  matchNumber: string | undefined;
  countdown: Countdown;
  isReconnecting: boolean;
  /** Why the exchange was refused. */
  refusal: ApiRefusal | undefined;
}

/**
 * How long the tick stays before the dashboard opens, in milliseconds: long enough to notice, too short to feel like
 * a delay.
 */
const TICK_MS = 800;

// Part of the cache key. The cache outlives each visit, so count visits across mounts to never display the same
// sign-in twice.
let rounds = 0;
const nextRound = () => {
  rounds += 1;
  return rounds;
};

/**
 * On mount, starts a sign-in by QR code, typed code or passkey, or resumes the sign-in from before a reload. `renew`
 * starts a new sign-in.
 */
export function useStartedSignIn(orgCode: string, mode: Extract<LoginMode, 'QID' | 'DID' | 'WEBAUTHN'>) {
  const appLoginId = useAppSignInId();
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
    // Keep the expired code visible until the new code arrives.
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
 * Sends a request to the devices of the user named in `ask`, or resumes a request from before a reload or from the
 * remembered member's button. `started` is
 * undefined until the request has been sent.
 */
export function usePushSignIn(orgCode: string) {
  const aim = { orgCode, mode: 'PUSH' as const, appLoginId: useAppSignInId() };
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

  const send = async (
    who: { primaryAttr: string } | { remembered: true },
    label: Pick<PendingSignIn, 'name' | 'remembered'>,
  ) => {
    try {
      const next = startedOf(await run({ body: { ...aim, ...who } }));
      storePendingSignIn({ ...aim, started: next, ...label });
      // If the user left the form while the request was being sent, withdraw the request.
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
  return {
    started,
    resumedName: resumed?.name ?? '',
    /** Full name of the remembered member to whom the request was sent. */
    remembered: resumed?.remembered,
    isPending,
    refusal,
    ask: (name: string) => send({ primaryAttr: name }, { name }),
    askRemembered: (fullName: string) => send({ remembered: true }, { remembered: fullName }),
    leave,
    reset,
  };
}

/** Exchanges an approved sign-in once, even if the live channel repeats its token. Returns the next step. */
function useExchange(loginId: string, exchangeToken: string | undefined) {
  const appLoginId = useAppSignInId();
  const { data, error } = useSWRImmutable<() => void, ApiRefusal>(
    exchangeToken ? ['sign-in exchange', loginId] : null,
    () => exchangeSignIn(loginId, exchangeToken ?? '', appLoginId),
  );
  return { resume: data, refusal: error };
}

/**
 * Tracks a sign-in from init to success. Shortly after success, starts the session, so that the route guard opens the
 * portal, or sends the browser back to the application. A sign-in that has expired by this browser's clock is treated
 * as expired even while disconnected, because its code no longer works.
 */
export function useSignInProgress({ loginId, idTimeout, endsAt, matchNumber }: StartedSignIn): SignInProgress {
  const { message, connection } = useLive(loginLive, { loginId });
  const countdown = useCountdown(idTimeout, loginId, endsAt);
  const { resume, refusal } = useExchange(loginId, message?.exchangeToken);

  useEffect(() => {
    if (!resume) return;
    const timer = setTimeout(resume, TICK_MS);
    return () => clearTimeout(timer);
  }, [resume]);

  // A push is pending from the start, but it is displayed as waiting until the user opens it on a device.
  const isTakenUp = message?.state !== 'pending' || message.deviceName !== undefined;
  const live = (isTakenUp && message?.state) || 'init';
  const isOpen = live === 'init' || live === 'pending';
  const isOver = isOpen && (countdown.isExpired || connection === 'closed');
  const isPending = isOpen && !isOver;

  useEffect(() => trackDisplayedSignIn(loginId), [loginId]);
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
