import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from '@fastify/websocket';
import type { SocketFault } from '@orchestrate/shared';

/** How long a message that the lab holds back waits for the next one, in milliseconds of real time. */
const HELD_MS = 2_000;

/**
 * Writes the messages of one socket, and does to them what the lab asks: late, twice, in another order, or not at all.
 */
export class OutgoingMessages {
  readonly #socket: WebSocket;
  /** A message that waits until after the next one. */
  #held: string | undefined;
  /** Messages that are delayed, and those behind them. */
  #line: Promise<void> | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** @param fault what the lab does to this message, if anything; the caller handles one that ends the connection */
  send(text: string, fault: Pick<SocketFault, 'do' | 'ms'> | undefined): void {
    const held = this.#held;
    this.#held = undefined;
    switch (fault?.do) {
      case 'drop':
        break;
      case 'delay':
        this.#sendLate(text, fault.ms ?? 0);
        break;
      case 'reorder':
        this.#hold(text);
        break;
      case 'duplicate':
        this.#sendInLine(text);
        this.#sendInLine(text);
        break;
      default:
        this.#sendInLine(text);
    }
    if (held !== undefined) this.#sendInLine(held);
  }

  #sendInLine(text: string): void {
    if (this.#line !== undefined) this.#sendLate(text, 0);
    else this.#write(text);
  }

  /** After its delay and after those before it: a slow network keeps the order. */
  #sendLate(text: string, ms: number): void {
    const line: Promise<void> = Promise.all([this.#line, delay(ms, undefined, { ref: false })]).then(() => {
      this.#write(text);
      if (this.#line === line) this.#line = undefined;
    });
    this.#line = line;
  }

  /** Until the next message has been sent; if none comes, it was the last and is not lost. */
  #hold(text: string): void {
    this.#held = text;
    setTimeout(() => {
      if (this.#held !== text) return;
      this.#held = undefined;
      this.#sendInLine(text);
    }, HELD_MS).unref();
  }

  #write(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text);
  }
}
