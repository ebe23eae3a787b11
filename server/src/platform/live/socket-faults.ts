import type { SocketFault } from '@orchestrate/shared';

/** The failures that the lab injects into sockets. None unless a test asks for them. */
export interface SocketFaults {
  add(fault: SocketFault): void;
  waiting(): readonly SocketFault[];
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

export function createSocketFaults(): SocketFaults {
  let waiting: SocketFault[] = [];

  function take(fits: (fault: SocketFault) => boolean): SocketFault | undefined {
    if (waiting.length === 0) return undefined;
    const taken = waiting.find(fits);
    if (!taken) return undefined;
    const times = taken.times - 1;
    waiting = waiting.flatMap((one) => (one !== taken ? [one] : times > 0 ? [{ ...one, times }] : []));
    return taken;
  }

  return {
    add: (fault) => void waiting.push(fault),
    waiting: () => waiting,
    clear() {
      waiting = [];
    },
    replace(wanted) {
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
