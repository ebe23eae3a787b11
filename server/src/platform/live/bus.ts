import { runDetached } from '@orchestrate/db';

/** Tells everything that shows a thing when it has changed. Topics are named by `TOPIC`. */
export interface Bus {
  /** Calls everybody who listens to the topic, immediately. Call it after the transaction, never inside. */
  changed(topic: string): void;
  /** Listens to several topics; returns a function that stops listening. */
  listen(topics: readonly string[], listener: () => void): () => void;
  /** Hears of every change of every topic; returns a function that stops listening. */
  listenToAll(listener: (topic: string) => void): () => void;
  /** How many listeners a topic has. */
  listeners(topic: string): number;
}

/** What can change. */
export const TOPIC = {
  challenge: (id: string) => `challenge:${id}`,
  /** A request to a device has begun, or a device has opened one. */
  requests: 'requests',
  /** The requests that wait for a person, and the devices that may answer them. */
  member: (suid: string) => `member:${suid}`,
  session: (sid: string) => `session:${sid}`,
  /** The addresses from which an organisation lets people in. */
  addresses: (orgCode: string) => `addresses:${orgCode}`,
  outbox: 'outbox',
  /** An application is to be told that a sign-in there has ended. */
  logouts: 'logouts',
  /** Something is waiting to be sent to a webhook. */
  webhooks: 'webhooks',
  /** Somebody is to be sent to the SCIM service of an application. */
  provisioning: 'provisioning',
  /** The progress of an upload. */
  upload: (name: string) => `upload:${name}`,
  /** An organisation was created. */
  organisations: 'organisations',
  /** Everything at once: the lab has replaced the data. */
  reset: 'reset',
  /** Something has happened that the journal keeps, or it was emptied. */
  journal: 'journal',
  /** The same, for those who watch the lab: not more often than they can read. */
  lab: 'lab',
  /** A space has ended by itself. */
  spaces: 'spaces',
} as const;

/**
 * Calls listeners detached from the work that announces a change: they act for others.
 * @param onError called with what a listener threw; the listeners after it are still called.
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
      // A copy: a listener may stop listening while it is called.
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
