import type { DeviceState } from '@orchestrate/shared/authenticator';
import { useEffect, useSyncExternalStore } from 'react';
import { inbox } from '../phone/this-phone.ts';
import type { InboxState } from './inbox.ts';

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
