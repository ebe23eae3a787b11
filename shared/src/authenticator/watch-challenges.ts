import type { ServerMessage } from '../channel.ts';
import type { PendingChallenge } from '../contract/devices/authenticator.ts';
import { readJson } from '../http.ts';
import type { authenticatorLive } from '../live/authenticator.ts';
import { PortalRefusal } from './portal-refusal.ts';

/** The subset of WebSocket that is used, which browsers, Node and the `ws` package all support. */
export interface LiveSocket {
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  send(data: string): void;
  close(): void;
}
export type LiveSocketConstructor = new (url: string) => LiveSocket;

/**
 * Connection state. `refused` means the portal doesn't currently accept this device, e.g. because it is paused; the
 * connection is retried automatically.
 */
export type WatchState =
  | { state: 'connecting' | 'live' | 'reconnecting' }
  | { state: 'refused'; refusal: PortalRefusal };

export interface WatchListener {
  /** Receives all pending requests on every change. */
  onChallenges(challenges: PendingChallenge[]): void;
  onState?(state: WatchState): void;
}

export interface Watch {
  stop(): void;
  /** Reconnects immediately instead of waiting for the next retry, e.g. when the network is back. */
  retry(): void;
}

export interface WatchDependencies {
  /** `ws://` or `wss://` URL of the channel. */
  url: string;
  Socket: LiveSocketConstructor;
  /** Creates the message that authenticates the device. Called for every connection. */
  hello(): string;
  /** Fetches the pending requests over HTTP. Rejects with the reason if the portal refuses this device. */
  pending(): Promise<PendingChallenge[]>;
  /** Receives the portal's time with every message. */
  onTime(timestamp: string): void;
}

const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;
const REFUSED_RETRY_MS = 15_000;

/** Follows the pending requests for a device's owner, reconnecting as often as needed. */
export function watchChallenges(dependencies: WatchDependencies, listener: WatchListener): Watch {
  let socket: LiveSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isStopped = false;

  const isCurrent = (candidate: LiveSocket) => !isStopped && candidate === socket;

  const later = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(connect, delay);
  };

  function connect() {
    clearTimeout(timer);
    const opened = new dependencies.Socket(dependencies.url);
    socket = opened;
    let isProven = false;
    opened.addEventListener('open', () => {
      if (isCurrent(opened)) opened.send(dependencies.hello());
    });
    opened.addEventListener('message', ({ data }) => {
      const message = readMessage(data);
      if (!isCurrent(opened) || !message) return;
      if (!isProven) listener.onState?.({ state: 'live' });
      isProven = true;
      failures = 0;
      dependencies.onTime(message.timestamp);
      listener.onChallenges(message.challenges);
    });
    // Every `error` is followed by `close`. Without a listener, the `ws` package would throw the error.
    opened.addEventListener('error', () => undefined);
    opened.addEventListener('close', () => {
      if (!isCurrent(opened)) return;
      socket = null;
      void recover(isProven);
    });
  }

  // A socket that closes before its first message gives no reason, so send the same request over HTTP. The refusal
  // gives the reason, and corrects this device's clock if that was the cause.
  async function recover(wasProven: boolean) {
    const delay = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? REFUSED_RETRY_MS;
    failures += 1;
    if (failures === 1) listener.onState?.({ state: 'reconnecting' });
    if (wasProven) return later(delay);
    try {
      const challenges = await dependencies.pending();
      if (isStopped) return;
      listener.onChallenges(challenges);
      later(delay);
    } catch (error) {
      if (isStopped) return;
      if (!(error instanceof PortalRefusal)) return later(delay);
      listener.onState?.({ state: 'refused', refusal: error });
      later(REFUSED_RETRY_MS);
    }
  }

  listener.onState?.({ state: 'connecting' });
  connect();

  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      socket?.close();
    },
    retry() {
      if (!isStopped && socket === null) connect();
    },
  };
}

type Message = ServerMessage<typeof authenticatorLive>;

function readMessage(data: unknown): Message | undefined {
  const message = readJson(String(data)) as Partial<Message> | null | undefined;
  return message?.op === 'challenges' && Array.isArray(message.challenges) ? (message as Message) : undefined;
}
