import { createHash } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { ExchangeOutcome } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { portProblem } from '../../platform/port-unusable.ts';
import { answerRequest } from './answer-request.ts';
import { createAnswered } from './answered.ts';
import { findRadiusApplication } from './find-radius-application.ts';
import { ATTRIBUTE, CODE, isProtected, type RadiusPacket, readPacket, textOf, writeReply } from './packet.ts';
import { createQuietLog } from './quiet-log.ts';

/** Bursts of a thousand requests fit, where the system allows it. */
const RECEIVE_BUFFER_BYTES = 1_048_576;

const OUTCOMES: Readonly<Record<number, ExchangeOutcome>> = {
  [CODE.accessAccept]: 'Access-Accept',
  [CODE.accessReject]: 'Access-Reject',
  [CODE.accessChallenge]: 'Access-Challenge',
};

/** The UDP socket of one organisation: nothing that arrives here reaches another one. */
export interface OrganisationSocket {
  port: number;
  /** Also stops waiting for people. */
  close(): Promise<void>;
}

/** Listens for an organisation. @param wanted its port, or 0 for any free one @throws PortUnusable */
export async function openOrganisationSocket(deps: Deps, orgCode: string, wanted: number): Promise<OrganisationSocket> {
  const { config, clock, log, journal } = deps;
  const { host } = config;
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES });
  const answered = createAnswered(clock.now);
  const quietLog = createQuietLog(deps, orgCode);
  const waiting = new Set<() => void>();
  let isClosed = false;

  socket.on('message', (datagram, from) => {
    try {
      receive(datagram, from);
    } catch (reason) {
      log.error(reason, 'a RADIUS request could not be answered');
    }
  });

  async function close(): Promise<void> {
    isClosed = true;
    for (const stop of waiting) stop();
    quietLog.close();
    await new Promise<void>((resolve) => {
      socket.close(() => resolve());
    });
  }

  function receive(datagram: Buffer, from: RemoteInfo): void {
    const packet = readPacket(datagram);
    // RFC 2865 §3: silently.
    if (packet?.code !== CODE.accessRequest && packet?.code !== CODE.statusServer) return;
    const { address, port } = from;
    const key = `${address} ${port} ${createHash('sha256').update(packet.bytes).digest('base64')}`;
    const known = answered.find(key);
    if (known !== 'new') {
      if (known) socket.send(known, port, address);
      return;
    }
    const found = findRadiusApplication(deps, orgCode, packet);
    const record = (outcome: ExchangeOutcome, appId?: string) =>
      journal.record({
        kind: 'exchange',
        protocol: 'radius',
        operation: operationOf(packet),
        outcome,
        orgCode,
        appId,
        name: textOf(packet, ATTRIBUTE.userName).trim() || undefined,
        ip: address,
      });
    if (typeof found === 'string') {
      record('no answer');
      quietLog.add(found, address);
      return;
    }
    answered.begin(key);
    // The answer may come within the call.
    let stop: (() => void) | undefined;
    stop = answerRequest(deps, found, { packet, address }, (reply) => {
      if (stop) waiting.delete(stop);
      if (isClosed) return;
      record(OUTCOMES[reply.code] ?? 'no answer', found.application.appId);
      const bytes = writeReply(packet, found.client.secret, reply);
      answered.end(key, bytes);
      socket.send(bytes, port, address);
    });
    if (stop) waiting.add(stop);
  }

  try {
    socket.bind(wanted, host);
    await once(socket, 'listening');
  } catch (reason) {
    socket.close();
    throw portProblem(reason, { host, port: wanted, setting: 'RADIUS_PORT' });
  }
  socket.on('error', (reason) => log.error(reason, 'a RADIUS socket failed'));
  return { port: socket.address().port, close };
}

/** What a request is, for the journal; it is never answered without a Message-Authenticator. */
function operationOf(packet: RadiusPacket): string {
  const name = packet.code === CODE.statusServer ? 'Status-Server' : 'Access-Request';
  return isProtected(packet) ? name : `${name} without Message-Authenticator`;
}
