import { runDetached } from '@orchestrate/db';

/** Publish/subscribe for change notifications. See `TOPIC`. */
export interface Bus {
  /** Calls all listeners of a topic synchronously. Call this after the transaction, never inside it. */
  changed(topic: string): void;
  /** Subscribes to several topics. Returns a function that unsubscribes. */
  listen(topics: readonly string[], listener: () => void): () => void;
  /** Subscribes to all topics. Returns a function that unsubscribes. */
  listenToAll(listener: (topic: string) => void): () => void;
  /** Returns the number of listeners of a topic. */
  listeners(topic: string): number;
}

/** Topics of the bus. */
export const TOPIC = {
  challenge: (id: string) => `challenge:${id}`,
  /** A request to a member's device was created or opened. */
  requests: 'requests',
  /** A member's pending requests, and the devices that can answer them, changed. */
  member: (suid: string) => `member:${suid}`,
  session: (sid: string) => `session:${sid}`,
  /** An organisation's allowed addresses changed. */
  addresses: (orgCode: string) => `addresses:${orgCode}`,
  outbox: 'outbox',
  /** A logout notification to an application is due. */
  logouts: 'logouts',
  /** A webhook delivery is due. */
  webhooks: 'webhooks',
  /** Outbound provisioning is due. */
  provisioning: 'provisioning',
  /** The progress of an upload changed. */
  upload: (name: string) => `upload:${name}`,
  /** An organisation was created. */
  organisations: 'organisations',
  /** The lab has replaced the data, so anything may have changed. */
  reset: 'reset',
  /** A journal entry was added, or the journal was cleared. */
  journal: 'journal',
  /** A journal entry was added, for calls that wait for an entry. */
  entry: 'entry',
  /** A delivery to another program has ended. */
  delivered: 'delivered',
  /** The journal changed. Throttled, for pages that display the lab. */
  lab: 'lab',
  /** A space ended automatically. */
  spaces: 'spaces',
} as const;

/**
 * Creates a bus. Listeners run outside the async context in which the change was made, because they act on behalf of
 * other users.
 * @param onError called with any error thrown by a listener; later listeners are still called
 */
export function createBus(onError: (reason: unknown) => void): Bus {
  const listeners = new Map<string, Set<() => void>>();
  const watchers = new Set<(topic: string) => void>();

  function add(topic: string, listener: () => void): void {
    const present = listeners.get(topic);
    if (present) present.add(listener);
    else listeners.set(topic, new Set([listener]));
  }

  function remove(topic: string, listener: () => void): void {
    const present = listeners.get(topic);
    if (!present) return;
    present.delete(listener);
    if (present.size === 0) listeners.delete(topic);
  }

  return {
    changed(topic) {
      for (const watcher of watchers) {
        try {
          runDetached(() => watcher(topic));
        } catch (reason) {
          onError(reason);
        }
      }
      const present = listeners.get(topic);
      if (!present) return;
      // Iterate over a copy, because a listener can unsubscribe while it runs.
      for (const listener of [...present]) {
        try {
          runDetached(listener);
        } catch (reason) {
          onError(reason);
        }
      }
    },
    listen(topics, listener) {
      for (const topic of topics) add(topic, listener);
      return () => {
        for (const topic of topics) remove(topic, listener);
      };
    },
    listenToAll(listener) {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
    listeners: (topic) => listeners.get(topic)?.size ?? 0,
  };
}
