import type { DeviceState } from '@orchestrate/shared/authenticator';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { inbox } from '../phone/this-phone.ts';
import { type InboxState, listRequests, type Request } from './inbox.ts';

interface Shown {
  request: Request;
  isOpen: boolean;
  /** True if the request was opened with a code and isn't in the list of pending requests. */
  isFromCode: boolean;
}

const including = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> => new Set([...ids, id]);

/**
 * Returns the request to display: a request opened with a code, or else the oldest that was neither answered nor
 * dismissed. The request stays until the user closes it, even if the portal no longer lists it.
 */
export function useRequests(received: InboxState, accounts: readonly DeviceState[]) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const [aside, setAside] = useState<ReadonlySet<string>>(new Set());

  const open = listRequests(received, accounts).filter(({ challenge }) => !answered.has(challenge.challengeId));
  const next = open.find(({ challenge }) => !aside.has(challenge.challengeId));
  if (next && !shown?.isOpen) setShown({ request: next, isOpen: true, isFromCode: false });

  const shownId = shown?.request.challenge.challengeId;
  const close = useCallback(() => {
    setShown((now) => now && { ...now, isOpen: false });
    if (shownId !== undefined) setAside((ids) => including(ids, shownId));
  }, [shownId]);

  return {
    shown,
    isWithdrawn:
      shown !== null && !shown.isFromCode && !open.some(({ challenge }) => challenge.challengeId === shownId),
    /** Requests that were dismissed but are still pending. */
    waiting: open.filter(({ challenge }) => aside.has(challenge.challengeId)),
    show: (request: Request, isFromCode: boolean) => setShown({ request, isOpen: true, isFromCode }),
    close,
    markAnswered: (challengeId: string) => setAnswered((ids) => including(ids, challengeId)),
  };
}

/** Watches the requests for these accounts while the page is open. */
export function useInbox(accounts: readonly DeviceState[]): InboxState {
  useEffect(() => inbox.follow(accounts), [accounts]);

  useEffect(() => {
    // Reconnect immediately when the phone wakes up or comes back online.
    const retry = () => inbox.retry();
    window.addEventListener('online', retry);
    document.addEventListener('visibilitychange', retry);
    return () => {
      window.removeEventListener('online', retry);
      document.removeEventListener('visibilitychange', retry);
      inbox.follow([]);
    };
  }, []);

  return useSyncExternalStore(inbox.subscribe, inbox.state);
}
