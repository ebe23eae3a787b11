import { Lifetime } from '@orchestrate/db';
import { Refusal } from './refusal.ts';

/**
 * The portal's data between two resets. An operation belongs to the world it started in, so none of its effects reach
 * the next world (decision 163).
 */
export interface CurrentWorld {
  /**
   * Ends with this world. From then on, database queries made within the lifetime are refused with INVALID_SESSION.
   * Only entry points run code in a lifetime: routes, sockets and deliveries.
   */
  readonly lifetime: Lifetime;
  /**
   * Calls `listener` when this world is about to end, while its data can still be read. Returns a function that
   * removes the listener.
   */
  beforeEnd(listener: () => void): () => void;
  /** Ends this world and starts the next. @param replaceData replaces the data; if it throws, this world continues */
  end(replaceData: () => void): void;
}

export function createCurrentWorld(): CurrentWorld {
  const listeners = new Set<() => void>();
  let lifetime = new Lifetime();
  return {
    get lifetime() {
      return lifetime;
    },
    beforeEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end(replaceData) {
      for (const listener of listeners) listener();
      replaceData();
      lifetime.end(new Refusal('INVALID_SESSION'));
      lifetime = new Lifetime();
    },
  };
}
