import type { DeviceState } from '@orchestrate/shared/authenticator';
import { useCallback, useState } from 'react';
import { type InboxState, type Request, requestsIn } from './inbox.ts';

interface Shown {
  request: Request;
  isOpen: boolean;
  /** It was opened by a code, so it does not appear in the list of waiting requests. */
  isFromCode: boolean;
}

const including = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> => new Set([...ids, id]);

/**
 * Which request is on the screen: the one that a code has opened, else the oldest that has arrived and was neither
 * answered nor put aside. It stays until it is closed, even when the portal no longer lists it.
 */
export function useRequests(inbox: InboxState, accounts: readonly DeviceState[]) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const [aside, setAside] = useState<ReadonlySet<string>>(new Set());

  const open = requestsIn(inbox, accounts).filter(({ challenge }) => !answered.has(challenge.challengeId));
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
    /** Put aside, but still waiting. */
    waiting: open.filter(({ challenge }) => aside.has(challenge.challengeId)),
    show: (request: Request, isFromCode: boolean) => setShown({ request, isOpen: true, isFromCode }),
    close,
    markAnswered: (challengeId: string) => setAnswered((ids) => including(ids, challengeId)),
  };
}
