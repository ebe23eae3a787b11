import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { portProblem } from '../../platform/port-unusable.ts';
import { answerRequest } from './answer-request.ts';
import { createAnswered } from './answered.ts';
import { findRadiusApplication } from './find-radius-application.ts';
import { CODE, readPacket, writeReply } from './packet.ts';

/** Bursts of a thousand requests fit, where the system allows it. */
const RECEIVE_BUFFER_BYTES = 1_048_576;

/** RADIUS over UDP (decision 173), where `RADIUS_PORT` is set. @throws PortUnusable when the portal starts */
export function radius(app: FastifyInstance, deps: Deps): void {
  const { config, clock, log, ports } = deps;
  const { host, radiusPort } = config;
  if (radiusPort === null) return;
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
    const key = `${address} ${port} ${packet.identifier} ${packet.authenticator.toString('latin1')}`;
    const known = answered.find(key);
    if (known !== 'new') {
      if (known) socket.send(known, port, address);
      return;
    }
    const found = findRadiusApplication(deps, packet);
    if (!found) {
      log.info({ from: address }, 'a RADIUS request fits no application: another secret has made it');
      return;
    }
    answered.begin(key);
    // The answer may come within the call.
    let stop: (() => void) | undefined;
    stop = answerRequest(deps, found, { packet, address }, (reply) => {
      if (stop) waiting.delete(stop);
      if (isClosed) return;
      const bytes = writeReply(packet, found.client.secret, reply);
      answered.end(key, bytes);
      socket.send(bytes, port, address);
    });
    if (stop) waiting.add(stop);
  }
}
