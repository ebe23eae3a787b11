import { setTimeout } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from '@fastify/websocket';
import type { SocketFault } from '@orchestrate/shared';

/** How long a held-back message waits for the next message, in milliseconds of real time. */
const HELD_MS = 2_000;

/** Sends one socket's messages and applies the lab's faults: delayed, duplicated, reordered or dropped. */
export class OutgoingMessages {
  readonly #socket: WebSocket;
  /** Message held back until the next message has been sent. */
  #held: string | undefined;
  /** Tail of the queue: delayed messages and the messages sent after them. */
  #line: Promise<void> | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Sends a message. @param fault the message's fault; the caller handles faults that end the connection */
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

  /** Sends a message after its delay, in order, as a slow network would. */
  #sendLate(text: string, ms: number): void {
    const line: Promise<void> = Promise.all([this.#line, delay(ms, undefined, { ref: false })]).then(() => {
      this.#write(text);
      if (this.#line === line) this.#line = undefined;
    });
    this.#line = line;
  }

  /** Holds a message until the next message has been sent, for at most `HELD_MS`. */
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
