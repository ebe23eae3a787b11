import { runDetached } from '@orchestrate/db';

/** Publish/subscribe for change notifications. See `TOPIC`. */
export interface Bus {
  /** Calls all listeners of a topic synchronously. Call it after the transaction, never in it. */
  changed(topic: string): void;
  /** Subscribes to several topics. Returns a function that unsubscribes. */
  listen(topics: readonly string[], listener: () => void): () => void;
  /** Subscribes to all topics. Returns a function that unsubscribes. */
  listenToAll(listener: (topic: string) => void): () => void;
  /** Returns the number of listeners of a topic. */
  listeners(topic: string): number;
}

/** The topics. */
export const TOPIC = {
  challenge: (id: string) => `challenge:${id}`,
  /** A request to a device was created, or a device opened one. */
  requests: 'requests',
  /** A member's pending requests, and the devices that can answer them. */
  member: (suid: string) => `member:${suid}`,
  session: (sid: string) => `session:${sid}`,
  /** An organisation's allowed addresses. */
  addresses: (orgCode: string) => `addresses:${orgCode}`,
  outbox: 'outbox',
  /** A logout notification to an application is due. */
  logouts: 'logouts',
  /** A delivery to a webhook is due. */
  webhooks: 'webhooks',
  /** Outbound provisioning is due. */
  provisioning: 'provisioning',
  /** The progress of an upload. */
  upload: (name: string) => `upload:${name}`,
  /** An organisation was created. */
  organisations: 'organisations',
  /** The lab has replaced the data, so everything may have changed. */
  reset: 'reset',
  /** A journal entry was added, or the journal was cleared. */
  journal: 'journal',
  /** Throttled changes of the journal, for viewers of the lab. */
  lab: 'lab',
  /** A space has ended automatically. */
  spaces: 'spaces',
} as const;

/**
 * Calls listeners detached from the work that announces a change: they act for others.
 * Creates a bus. @param onError called with an error that a listener threw; later listeners are still called
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
      // A copy, because a listener can unsubscribe while it is called.
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
