/** Says which things have changed, to whoever shows them. Topics are named by `TOPIC`. */
export interface Bus {
  /** Calls everybody who listens to the topic, now. To be called after the transaction, never inside. */
  changed(topic: string): void;
  /** Listens to several topics; returns how to stop. */
  listen(topics: readonly string[], listener: () => void): () => void;
  /** How many listeners a topic has. */
  listeners(topic: string): number;
}

/** What can change. */
export const TOPIC = {
  challenge: (id: string) => `challenge:${id}`,
  /** The requests that wait for a person, and the devices that may answer them. */
  member: (suid: string) => `member:${suid}`,
  session: (sid: string) => `session:${sid}`,
  /** From where an organisation lets anybody in. */
  addresses: (orgCode: string) => `addresses:${orgCode}`,
  outbox: 'outbox',
  /** Something is to be sent to a webhook. */
  webhooks: 'webhooks',
  /** How far an upload has come. */
  upload: (name: string) => `upload:${name}`,
  /** Everything at once: the lab has put the data back. */
  reset: 'reset',
} as const;

/** @param onError told what a listener threw; the listeners after it are still called. */
export function createBus(onError: (reason: unknown) => void): Bus {
  const listeners = new Map<string, Set<() => void>>();

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
      const present = listeners.get(topic);
      if (!present) return;
      // A copy: a listener may stop listening while it is called.
      for (const listener of [...present]) {
        try {
          listener();
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
    listeners: (topic) => listeners.get(topic)?.size ?? 0,
  };
}
