import type { SocketFault } from '@orchestrate/shared';

/** How many fired faults are retained. */
const FIRED_MAX = 200;

export interface FiredSocketFault {
  at: string;
  fault: SocketFault;
}

/** The lab's socket faults. */
export interface SocketFaults {
  add(fault: SocketFault): void;
  waiting(): readonly SocketFault[];
  /** Returns the pending faults that have never fired. */
  unused(): readonly SocketFault[];
  /** Returns the fired faults, newest first. */
  fired(): readonly FiredSocketFault[];
  clear(): void;
  /** Replaces all pending faults. */
  replace(faults: readonly SocketFault[]): void;
  /** Returns true if a fault refuses the next connection to a channel, and consumes the fault. */
  takeRefusal(path: string): boolean;
  /** Returns the fault that applies to a channel's message, if any, and consumes the fault. */
  takeMessage(path: string, message: object): SocketFault | undefined;
}

/** Returns the state that a message carries. The field name depends on the channel. */
const stateOf = (message: object): unknown =>
  'state' in message ? message.state : 'respType' in message ? message.respType : undefined;

/** Creates an empty fault store. @param iso returns the portal's time */
export function createSocketFaults(iso: () => string): SocketFaults {
  let waiting: SocketFault[] = [];
  let fired: FiredSocketFault[] = [];
  /** Pending faults that have fired at least once. */
  const used = new WeakSet<SocketFault>();

  function take(fits: (fault: SocketFault) => boolean): SocketFault | undefined {
    if (waiting.length === 0) return undefined;
    const taken = waiting.find(fits);
    if (!taken) return undefined;
    const times = taken.times - 1;
    const left = { ...taken, times };
    used.add(left);
    waiting = waiting.flatMap((one) => (one !== taken ? [one] : times > 0 ? [left] : []));
    fired = [{ at: iso(), fault: { ...taken, times: 1 } }, ...fired].slice(0, FIRED_MAX);
    return taken;
  }

  return {
    add: (fault) => void waiting.push(fault),
    waiting: () => waiting,
    unused: () => waiting.filter((fault) => !used.has(fault)),
    fired: () => fired,
    clear() {
      waiting = [];
      fired = [];
    },
    replace(wanted) {
      fired = [];
      waiting = wanted.map((fault) => ({ ...fault }));
    },
    takeRefusal: (path) => take((fault) => fault.do === 'refuse' && path === `/ws/${fault.channel}`) !== undefined,
    takeMessage: (path, message) =>
      take(
        (fault) =>
          fault.do !== 'refuse' &&
          path === `/ws/${fault.channel}` &&
          (fault.state === undefined || fault.state === stateOf(message)),
      ),
  };
}
