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
import { logQuietly } from '#adapters/browser.ts';
import { spokenLanguage } from '#words/words.ts';
import { call, validToken } from './call.ts';
import { RESPONSE_TIMEOUT_MS } from './timed-fetch.ts';

export type Connection = 'connecting' | 'open' | 'reconnecting' | 'closed';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
/** Close codes after which reconnecting is useless: 1000 (finished) and 1008 (refused). */
const FINAL_CLOSES: ReadonlySet<number> = new Set([1000, 1008]);

function socketAddressOf(channel: ChannelDefinition, query: object): string {
  const address = new URL(addressOf(channel, { query }), window.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

type TokenOf = () => string | undefined;

async function protocolsFor(channel: ChannelDefinition, tokenOf?: TokenOf): Promise<string[]> {
  const token = channel.access === 'signed-in' ? await validToken() : tokenOf?.();
  const protocols = [LIVE_PROTOCOL, languageAsSubprotocol(spokenLanguage)];
  return token ? [...protocols, asSubprotocol(token)] : protocols;
}

/**
 * Follows a live channel. Each message is the complete current state, and `message` is the latest. A lost connection
 * is retried after 0.5 s, doubling up to 10 s. If the query is null, the hook doesn't connect. `send` does nothing
 * while disconnected; the next state shows the result.
 * @param tokenOf returns the token if it isn't the session's, e.g. the lab token
 */
export function useLive<C extends ChannelDefinition>(channel: C, query: QueryOf<C> | null, tokenOf?: TokenOf) {
  const address = query && socketAddressOf(channel, query);
  const [followed, setFollowed] = useState(address);
  const [message, setMessage] = useState<ServerMessage<C>>();
  const [connection, setConnection] = useState<Connection>(address ? 'connecting' : 'closed');
  const socket = useRef<WebSocket>(undefined);

  // Runs during render rather than in an effect, so that no frame displays another address's last message.
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
      const limit = setTimeout(() => giveUp(present), RESPONSE_TIMEOUT_MS);
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
        // Browsers don't reveal the status of a refused upgrade, so make an API request, which detects an ended
        // session.
        if (!wasOpen && channel.access === 'signed-in') call(getProfile, {}).catch(() => undefined);
        again();
      };
    };
    /** Abandons an unresponsive connection without waiting for its close event, which can take just as long. */
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
        logQuietly("Couldn't connect to the live channel.", failure);
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
