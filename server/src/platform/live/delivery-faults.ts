import type { DeliveryKind, OutboxFault, WebhookFault } from '@orchestrate/shared';

/** Maximum number of listed fired faults. */
const FIRED_MAX = 200;

/** The lab's faults for one kind of delivery. @template Target an object with the delivery's ID under its wire name */
export interface DeliveryFaults<Fault, Target> {
  add(fault: Fault): void;
  waiting(): readonly Fault[];
  /** Returns the pending faults that have never fired. */
  unused(): readonly Fault[];
  /** Returns the fired faults, newest first. */
  fired(): readonly ({ at: string; fault: Fault } & Target)[];
  clear(): void;
  /** Replaces all pending faults. */
  replace(faults: readonly Fault[]): void;
  /** Returns true if a pending fault fits. */
  hasFor(fits: (fault: Fault) => boolean): boolean;
  /** Returns the first pending fault that fits, if any, and uses it once. */
  take(fits: (fault: Fault) => boolean, target: Target): Fault | undefined;
}

export type WebhookFaults = DeliveryFaults<WebhookFault, { deliveryId: string }>;
export type OutboxFaults = DeliveryFaults<OutboxFault, { messageId: string }>;

/** Creates an empty fault store. @param iso returns the portal's time */
export function createDeliveryFaults<Fault extends { times: number }, Target>(
  iso: () => string,
): DeliveryFaults<Fault, Target> {
  let waiting: readonly Fault[] = [];
  let unused: readonly Fault[] = [];
  let fired: readonly ({ at: string; fault: Fault } & Target)[] = [];
  return {
    add(fault) {
      waiting = [...waiting, fault];
      unused = [...unused, fault];
    },
    waiting: () => waiting,
    unused: () => unused,
    fired: () => fired,
    clear() {
      waiting = [];
      unused = [];
      fired = [];
    },
    replace(faults) {
      fired = [];
      waiting = faults;
      unused = faults;
    },
    hasFor: (fits) => waiting.some(fits),
    take(fits, target) {
      const taken = waiting.find(fits);
      if (!taken) return undefined;
      unused = unused.filter((one) => one !== taken);
      const times = taken.times - 1;
      waiting = waiting.flatMap((one) => (one !== taken ? [one] : times > 0 ? [{ ...one, times }] : []));
      fired = [{ at: iso(), fault: { ...taken, times: 1 }, ...target }, ...fired].slice(0, FIRED_MAX);
      return taken;
    },
  };
}

/** State of one delivery queue. */
export interface QueueState {
  kind: DeliveryKind;
  /** Number of rows being sent. */
  underway: number;
  /** Time at which the next row is due, in milliseconds since the epoch, or null. Excludes rows being sent. */
  nextTime: number | null;
}

/** The portal's delivery queues, for the lab. */
export interface DeliveryQueues {
  /** Adds a queue. @returns a function that removes it */
  add(state: () => QueueState): () => void;
  states(): QueueState[];
}

export function createDeliveryQueues(): DeliveryQueues {
  const queues = new Set<() => QueueState>();
  return {
    add(state) {
      queues.add(state);
      return () => void queues.delete(state);
    },
    states: () => [...queues].map((state) => state()),
  };
}
