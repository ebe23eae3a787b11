import { LIMITS, SECOND } from '@orchestrate/shared';
import { CLOSE, type Connection } from './connection.ts';

/** Every open connection of a server. */
export interface Connections {
  /** Returns how to forget it. */
  add(connection: Connection): () => void;
  /** Says goodbye to all of them, and hangs up on who does not answer. */
  closeAll(): void;
}

/** What a peer has to answer a close frame. */
const GOODBYE_MS = 1_000;

/** Connections stand in as many groups as a ping interval has seconds; every second one group is pinged. */
export function createConnections(): Connections {
  const groups = Array.from({ length: LIMITS.pingSeconds }, () => new Set<Connection>());
  let timer: NodeJS.Timeout | undefined;
  let added = 0;
  let turn = 0;
  let isClosing = false;

  const group = (index: number) => groups[index % groups.length] ?? new Set();

  /** Who has not answered since the last ping is gone. */
  function pingNext(): void {
    for (const connection of group(turn++)) {
      if (connection.isAlive) connection.ping();
      else connection.terminate();
    }
  }

  /** Says goodbye to some of them. */
  function dismiss(leaving: readonly Connection[]): void {
    for (const connection of leaving) connection.close(CLOSE.goingAway, 'The server is closing.');
    setTimeout(() => {
      for (const connection of leaving) connection.terminate();
    }, GOODBYE_MS).unref();
  }

  return {
    add(connection) {
      // Its upgrade was under way when the others were told.
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
