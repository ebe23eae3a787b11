import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<Lifetime | undefined>();

/** Limits how long work may use the database. */
export class Lifetime {
  #reason: Error | undefined;

  get hasEnded(): boolean {
    return this.#reason !== undefined;
  }

  /** Runs work. Once the lifetime has ended, each of its queries throws, also in what it awaits or schedules. */
  run<Result>(work: () => Result): Result {
    return current.run(this, work);
  }

  /** @param reason thrown by the queries of the work */
  end(reason: Error): void {
    this.#reason = reason;
  }

  /** @throws the reason with which the lifetime has ended */
  requireOpen(): void {
    if (this.#reason) throw this.#reason;
  }
}

/** Runs work that has no lifetime, even if it is started by work that has one. */
export const runDetached = <Result>(work: () => Result): Result => current.run(undefined, work);

/** Called before each query. @throws the reason with which the lifetime of the running work has ended */
export const requireOpenLifetime = (): void => current.getStore()?.requireOpen();
