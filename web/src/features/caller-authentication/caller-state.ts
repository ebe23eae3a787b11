import type { ServerMessage, verbalLive } from '@orchestrate/shared';

export type VerbalMessage = ServerMessage<typeof verbalLive>;
export type Caller = NonNullable<VerbalMessage['caller']>;

/** State of a caller verification. */
export type CallerState =
  | { step: 'waiting' | 'consenting' | 'denied' | 'expired' }
  | { step: 'confirmed'; caller: Caller };

/**
 * Returns the state to display.
 * @param isOver true if the code has expired by the browser's clock, or the portal refuses to report its state
 */
export function callerState(message: VerbalMessage | undefined, isOver: boolean): CallerState {
  if (message?.state === 'success' && message.caller) return { step: 'confirmed', caller: message.caller };
  if (message?.state === 'denied') return { step: 'denied' };
  if (message?.state === 'expired' || isOver) return { step: 'expired' };
  return { step: message?.state === 'pending' ? 'consenting' : 'waiting' };
}
