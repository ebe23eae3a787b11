import {
  addressOf,
  asSubprotocol,
  type ChannelDefinition,
  type ClientMessage,
  getProfile,
  LIVE_PROTOCOL,
  languageAsSubprotocol,
  type QueryOf,
  type ServerMessage,
} from '@orchestrate/shared';
import { useCallback, useEffect, useRef, useState } from 'react';
import { logQuietly } from '#adapters/log.ts';
import { spokenLanguage } from '#words/words.ts';
import { call, liveToken } from './call.ts';
import { ANSWER_LIMIT_MS } from './timed-fetch.ts';

export type Connection = 'connecting' | 'open' | 'reconnecting' | 'closed';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
/** Close codes that end the channel: 1000 (finished) and 1008 (refused, so that retrying is useless). */
const FINAL_CLOSES: ReadonlySet<number> = new Set([1000, 1008]);

function socketAddressOf(channel: ChannelDefinition, query: object): string {
  const address = new URL(addressOf(channel, { query }), window.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

type TokenOf = () => string | undefined;

async function protocolsFor(channel: ChannelDefinition, tokenOf?: TokenOf): Promise<string[]> {
  const token = channel.access === 'signed-in' ? await liveToken() : tokenOf?.();
  const protocols = [LIVE_PROTOCOL, languageAsSubprotocol(spokenLanguage)];
  return token ? [...protocols, asSubprotocol(token)] : protocols;
}

/**
 * Follows a live channel. Each message is the complete current state, so `message` is the last one. A lost connection is
 * retried after 0.5 s, doubling up to 10 s. With null as query it doesn't connect. `send` does nothing while
 * disconnected; the next state shows the result.
 * @param tokenOf returns the token, if it isn't the session's, e.g. the lab's
 */
export function useLive<C extends ChannelDefinition>(channel: C, query: QueryOf<C> | null, tokenOf?: TokenOf) {
  const address = query && socketAddressOf(channel, query);
  const [followed, setFollowed] = useState(address);
  const [message, setMessage] = useState<ServerMessage<C>>();
  const [connection, setConnection] = useState<Connection>(address ? 'connecting' : 'closed');
  const socket = useRef<WebSocket>(undefined);

  // During render instead of in an effect, so that no frame displays another address's last message.
  if (followed !== address) {
    setFollowed(address);
    setMessage(undefined);
    setConnection(address ? 'connecting' : 'closed');
  }

  useEffect(() => {
    if (!address) return;
    let isLeft = false;
    let delay = FIRST_DELAY_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const connect = async () => {
      const protocols = await protocolsFor(channel, tokenOf);
      if (isLeft) return;
      let wasOpen = false;
      const present = new WebSocket(address, protocols);
      socket.current = present;
      const limit = setTimeout(() => giveUp(present), ANSWER_LIMIT_MS);
      present.onopen = () => {
        wasOpen = true;
        clearTimeout(limit);
        delay = FIRST_DELAY_MS;
        setConnection('open');
      };
      present.onmessage = (event) => {
        if (!isLeft) setMessage(JSON.parse(String(event.data)) as ServerMessage<C>);
      };
      present.onclose = ({ code }) => {
        clearTimeout(limit);
        if (isLeft || socket.current !== present) return;
        if (FINAL_CLOSES.has(code)) return setConnection('closed');
        // A refused upgrade doesn't reveal its status, so a call checks if the session has ended.
        if (!wasOpen && channel.access === 'signed-in') call(getProfile, {}).catch(() => undefined);
        again();
      };
    };
    /** Abandons a silent connection without waiting for its close event, which would take just as long. */
    const giveUp = (silent: WebSocket) => {
      if (isLeft || socket.current !== silent) return;
      socket.current = undefined;
      silent.close();
      again();
    };
    const again = () => {
      setConnection('reconnecting');
      timer = setTimeout(start, delay);
      delay = Math.min(delay * 2, LONGEST_DELAY_MS);
    };
    const start = () => {
      connect().catch((failure: unknown) => {
        logQuietly('No live channel.', failure);
        if (!isLeft) again();
      });
    };

    start();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      socket.current?.close(1000);
      socket.current = undefined;
    };
  }, [address, channel, tokenOf]);

  const send = useCallback((outgoing: ClientMessage<C>) => {
    if (socket.current?.readyState === WebSocket.OPEN) socket.current.send(JSON.stringify(outgoing));
  }, []);

  return { message, connection, send };
}
