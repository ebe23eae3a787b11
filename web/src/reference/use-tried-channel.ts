import { t } from '@lingui/core/macro';
import { asSubprotocol, LIVE_PROTOCOL } from '@orchestrate/shared';
import { useEffect, useRef, useState } from 'react';

/** What travelled, oldest first. */
export interface Travelled {
  index: number;
  isSent: boolean;
  /** Indented JSON. */
  text: string;
}

/** Older messages are forgotten. */
const MESSAGES_MAX = 50;

/** A socket that is opened and closed by hand: it shows every message and is not opened again by itself. */
export function useTriedChannel() {
  const [state, setState] = useState<'closed' | 'opening' | 'open'>('closed');
  const [travelled, setTravelled] = useState<Travelled[]>([]);
  /** How it ended, in a sentence. */
  const [ending, setEnding] = useState('');
  const socket = useRef<WebSocket>(undefined);
  useEffect(() => () => socket.current?.close(1000), []);

  const add = (isSent: boolean, text: string) =>
    setTravelled((before) =>
      [...before, { index: (before.at(-1)?.index ?? 0) + 1, isSent, text }].slice(-MESSAGES_MAX),
    );

  /** @param path with its query */
  function open(path: string, token: string | undefined): void {
    const address = new URL(path, window.location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const present = new WebSocket(address.href, token ? [LIVE_PROTOCOL, asSubprotocol(token)] : [LIVE_PROTOCOL]);
    socket.current = present;
    let wasOpen = false;
    setState('opening');
    setEnding('');
    setTravelled([]);
    present.onopen = () => {
      wasOpen = true;
      setState('open');
    };
    present.onmessage = ({ data }) => add(false, JSON.stringify(JSON.parse(String(data)), null, 2));
    present.onclose = ({ code, reason }) => {
      if (socket.current !== present) return;
      setState('closed');
      setEnding(wasOpen ? t`Closed with ${code}${reason ? `: ${reason}` : ''}.` : REFUSED);
    };
  }

  return {
    state,
    travelled,
    ending,
    open,
    send(text: string) {
      socket.current?.send(text);
      add(true, text);
    },
    close: () => socket.current?.close(1000),
  };
}

const REFUSED = t`The portal refused the connection. Browsers don't get the reason; see the lab's journal.`;
