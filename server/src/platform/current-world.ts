import { Lifetime } from '@orchestrate/db';
import { Refusal } from './refusal.ts';

/**
 * The data that the portal works on, from its start or a reset until the next reset. Work belongs to the world in which
 * it starts, so nothing of it gets into the next one (decision 163).
 */
export interface CurrentWorld {
  /**
   * Ends with this world: queries of work that runs in it are then refused with INVALID_SESSION. Only the places where
   * work starts run it there: routes, sockets and deliveries.
   */
  readonly lifetime: Lifetime;
  /** Calls back when this world is about to end, while its data can still be read. Returns a function that stops it. */
  beforeEnd(listener: () => void): () => void;
  /** Ends this world and starts the next. @param replaceData if it throws, this world continues */
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
