import { createHash } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { ExchangeOutcome } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { portProblem } from '../../platform/port-unusable.ts';
import { answerRequest } from './answer-request.ts';
import { createAnswered } from './answered.ts';
import { findRadiusApplication } from './find-radius-application.ts';
import { ATTRIBUTE, CODE, isProtected, type RadiusPacket, readPacket, textOf, writeReply } from './packet.ts';

/** Bursts of a thousand requests fit, where the system allows it. */
const RECEIVE_BUFFER_BYTES = 1_048_576;

const OUTCOMES: Readonly<Record<number, ExchangeOutcome>> = {
  [CODE.accessAccept]: 'Access-Accept',
  [CODE.accessReject]: 'Access-Reject',
  [CODE.accessChallenge]: 'Access-Challenge',
};

/** RADIUS over UDP (decision 173) at the port of `RADIUS_PORT`. @throws PortUnusable when the portal starts */
export function radius(app: FastifyInstance, deps: Deps, radiusPort: number): void {
  const { config, clock, log, ports, journal } = deps;
  const { host } = config;
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES });
  const answered = createAnswered(clock.now);
  const waiting = new Set<() => void>();
  let isClosed = false;

  socket.on('message', (datagram, from) => {
    try {
      receive(datagram, from);
    } catch (reason) {
      log.error(reason, 'a RADIUS request could not be answered');
    }
  });

  app.addHook('onReady', async () => {
    try {
      socket.bind(radiusPort, host);
      await once(socket, 'listening');
    } catch (reason) {
      throw portProblem(reason, { host, port: radiusPort, setting: 'RADIUS_PORT' });
    }
    socket.on('error', (reason) => log.error(reason, 'the RADIUS socket failed'));
    ports.radius = socket.address().port;
  });

  app.addHook('preClose', async () => {
    if (isClosed) return;
    isClosed = true;
    for (const stop of waiting) stop();
    await new Promise<void>((resolve) => {
      socket.close(() => resolve());
    });
  });

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
    const found = findRadiusApplication(deps, packet);
    const record = (outcome: ExchangeOutcome) =>
      journal.record({
        kind: 'exchange',
        protocol: 'radius',
        operation: operationOf(packet),
        outcome,
        orgCode: found?.application.orgCode,
        appId: found?.application.appId,
        name: textOf(packet, ATTRIBUTE.userName).trim() || undefined,
        ip: address,
      });
    if (!found) {
      record('no answer');
      const why = isProtected(packet) ? 'another secret has made it' : 'it has no Message-Authenticator';
      log.info({ from: address }, `a RADIUS request fits no application: ${why}`);
      return;
    }
    answered.begin(key);
    // The answer may come within the call.
    let stop: (() => void) | undefined;
    stop = answerRequest(deps, found, { packet, address }, (reply) => {
      if (stop) waiting.delete(stop);
      if (isClosed) return;
      record(OUTCOMES[reply.code] ?? 'no answer');
      const bytes = writeReply(packet, found.client.secret, reply);
      answered.end(key, bytes);
      socket.send(bytes, port, address);
    });
    if (stop) waiting.add(stop);
  }
}

/** What a request is, for the journal; it is never answered without a Message-Authenticator. */
function operationOf(packet: RadiusPacket): string {
  const name = packet.code === CODE.statusServer ? 'Status-Server' : 'Access-Request';
  return isProtected(packet) ? name : `${name} without Message-Authenticator`;
}
