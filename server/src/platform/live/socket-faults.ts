import type { SocketFault } from '@orchestrate/shared';

/** How many fired faults are remembered. */
const FIRED_MAX = 200;

export interface FiredSocketFault {
  at: string;
  fault: SocketFault;
}

/** The failures that the lab injects into sockets. None unless a test asks for them. */
export interface SocketFaults {
  add(fault: SocketFault): void;
  waiting(): readonly SocketFault[];
  /** What has fired, newest first. */
  fired(): readonly FiredSocketFault[];
  clear(): void;
  /** Replaces all waiting faults. */
  replace(faults: readonly SocketFault[]): void;
  /** Whether the next connection of a channel is refused. */
  takeRefusal(path: string): boolean;
  /** What happens to a message of a channel, if anything. */
  takeMessage(path: string, message: object): SocketFault | undefined;
}

/** The state that a message reports, under whichever name its channel uses for it. */
const stateOf = (message: object): unknown =>
  'state' in message ? message.state : 'respType' in message ? message.respType : undefined;

/** @param iso the portal's time */
export function createSocketFaults(iso: () => string): SocketFaults {
  let waiting: SocketFault[] = [];
  let fired: FiredSocketFault[] = [];

  function take(fits: (fault: SocketFault) => boolean): SocketFault | undefined {
    if (waiting.length === 0) return undefined;
    const taken = waiting.find(fits);
    if (!taken) return undefined;
    const times = taken.times - 1;
    waiting = waiting.flatMap((one) => (one !== taken ? [one] : times > 0 ? [{ ...one, times }] : []));
    fired = [{ at: iso(), fault: { ...taken, times: 1 } }, ...fired].slice(0, FIRED_MAX);
    return taken;
  }

  return {
    add: (fault) => void waiting.push(fault),
    waiting: () => waiting,
    fired: () => fired,
    clear() {
      waiting = [];
      fired = [];
    },
    replace(wanted) {
      fired = [];
      waiting = [...wanted];
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
