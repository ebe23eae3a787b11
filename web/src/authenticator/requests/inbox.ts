import type { PendingChallenge } from '@orchestrate/shared';
import type { Authenticator, DeviceState, Watch, WatchState } from '@orchestrate/shared/authenticator';

/** Connection state and pending requests of an account. */
export interface AccountInbox {
  connection: WatchState;
  challenges: PendingChallenge[];
}
/** Inboxes by the account's zid. */
export type InboxState = ReadonlyMap<string, AccountInbox>;

export interface Inbox {
  /** Watches exactly these accounts and keeps their existing connections. */
  follow(accounts: readonly DeviceState[]): void;
  /** Reconnects lost connections immediately. */
  retry(): void;
  state(): InboxState;
  subscribe(listener: () => void): () => void;
}

/** A pending request and the account it was sent to. */
export interface Request {
  challenge: PendingChallenge;
  account: DeviceState;
}

const silent: AccountInbox = { connection: { state: 'connecting' }, challenges: [] };

/** Creates an inbox that receives requests for all accounts, each over a separate connection. */
export function createInbox(authenticator: Pick<Authenticator, 'watch'>): Inbox {
  const watches = new Map<string, Watch>();
  const listeners = new Set<() => void>();
  let state: InboxState = new Map();

  const change = (zid: string, news: Partial<AccountInbox> | null) => {
    const next = new Map(state);
    if (news) next.set(zid, { ...(next.get(zid) ?? silent), ...news });
    else next.delete(zid);
    state = next;
    for (const listener of listeners) listener();
  };

  return {
    follow(accounts) {
      const wanted = new Set(accounts.map(({ zid }) => zid));
      for (const [zid, watch] of watches) {
        if (wanted.has(zid)) continue;
        watch.stop();
        watches.delete(zid);
        change(zid, null);
      }
      for (const account of accounts) {
        const { zid } = account;
        if (watches.has(zid)) continue;
        const watch = authenticator.watch(account, {
          onChallenges: (challenges) => change(zid, { challenges }),
          onState: (connection) =>
            change(zid, connection.state === 'refused' ? { connection, challenges: [] } : { connection }),
        });
        watches.set(zid, watch);
      }
    },
    retry() {
      for (const watch of watches.values()) watch.retry();
    },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/**
 * Returns the pending requests of all accounts, oldest first. A request sent to several of a user's devices is
 * returned once.
 */
export function listRequests(state: InboxState, accounts: readonly DeviceState[]): Request[] {
  const requests = new Map<string, Request>();
  for (const account of accounts) {
    for (const challenge of state.get(account.zid)?.challenges ?? []) {
      if (!requests.has(challenge.challengeId)) requests.set(challenge.challengeId, { challenge, account });
    }
  }
  return [...requests.values()].toSorted((a, b) => a.challenge.requestedAt.localeCompare(b.challenge.requestedAt));
}
