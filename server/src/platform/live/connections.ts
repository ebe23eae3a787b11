import { LIMITS, SECOND } from '@orchestrate/shared';
import { CLOSE, type Connection } from './connection.ts';

/** Every open connection of a server. */
export interface Connections {
  /** Returns a function that removes it. */
  add(connection: Connection): () => void;
  /** Sends all of them a close frame, and hangs up on those that do not answer. */
  closeAll(): void;
}

/** Time a peer has to answer a close frame. */
const GOODBYE_MS = 1_000;

/** Connections are divided into as many groups as a ping interval has seconds; one group is pinged every second. */
export function createConnections(): Connections {
  const groups = Array.from({ length: LIMITS.pingSeconds }, () => new Set<Connection>());
  let timer: NodeJS.Timeout | undefined;
  let added = 0;
  let turn = 0;
  let isClosing = false;

  const group = (index: number) => groups[index % groups.length] ?? new Set();

  /** A connection that has not answered the last ping is gone. */
  function pingNext(): void {
    for (const connection of group(turn++)) {
      if (connection.isAlive) connection.ping();
      else connection.terminate();
    }
  }

  /** Closes some of them. */
  function dismiss(leaving: readonly Connection[]): void {
    for (const connection of leaving) connection.close(CLOSE.goingAway, 'The server is closing.');
    setTimeout(() => {
      for (const connection of leaving) connection.terminate();
    }, GOODBYE_MS).unref();
  }

  return {
    add(connection) {
      // Its upgrade was under way when the others were closed.
      if (isClosing) dismiss([connection]);
      const mine = group(added++);
      mine.add(connection);
      timer ??= setInterval(pingNext, SECOND).unref();
      return () => mine.delete(connection);
    },
    closeAll() {
      isClosing = true;
      clearInterval(timer);
      dismiss(groups.flatMap((present) => [...present]));
    },
  };
}
