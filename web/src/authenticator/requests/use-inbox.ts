import type { DeviceState } from '@orchestrate/shared/authenticator';
import { useEffect, useSyncExternalStore } from 'react';
import { inbox } from '../phone/this-phone.ts';
import type { InboxState } from './inbox.ts';

/** Follows the push sign-ins of these accounts for as long as the page is open. */
export function useInbox(accounts: readonly DeviceState[]): InboxState {
  useEffect(() => inbox.follow(accounts), [accounts]);

  useEffect(() => {
    // A phone that wakes up or finds the network again reconnects without waiting for the next retry.
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
