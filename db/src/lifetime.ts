import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<Lifetime | undefined>();

/** Limits how long code can use the database. */
export class Lifetime {
  #reason: Error | undefined;

  get hasEnded(): boolean {
    return this.#reason !== undefined;
  }

  /**
   * Runs `work`. Once the lifetime has ended, every query by `work` throws, including queries in code that it awaits
   * or schedules.
   */
  run<Result>(work: () => Result): Result {
    return current.run(this, work);
  }

  /**
   * Ends the lifetime.
   * @param reason thrown by every later query in this lifetime
   */
  end(reason: Error): void {
    this.#reason = reason;
  }

  /**
   * Throws if the lifetime has ended.
   * @throws the reason passed to `end`
   */
  requireOpen(): void {
    if (this.#reason) throw this.#reason;
  }
}

/** Runs `work` outside any lifetime, even if the caller has one. */
export const runDetached = <Result>(work: () => Result): Result => current.run(undefined, work);

/**
 * Throws if the current lifetime has ended. Must be called before each query.
 * @throws the reason passed to `end`
 */
export const requireOpenLifetime = (): void => current.getStore()?.requireOpen();
