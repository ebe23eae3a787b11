import type { DeviceState } from '@orchestrate/shared/authenticator';
import { useEffect, useSyncExternalStore } from 'react';
import { inbox } from '../phone/this-phone.ts';
import type { InboxState } from './inbox.ts';

/** Follows the requests of some accounts while the page is open. */
export function useInbox(accounts: readonly DeviceState[]): InboxState {
  useEffect(() => inbox.follow(accounts), [accounts]);

  useEffect(() => {
    // Reconnects immediately when the phone wakes up or is online again.
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
