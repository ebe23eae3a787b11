import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIVE_PROTOCOL, resultOf } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Deps } from '../../deps.ts';
import { requireCaller } from '../http/caller.ts';
import { requireOwnOrganisation } from '../http/permissions.ts';
import { readPart } from '../http/read-request.ts';
import { Refusal, refusalBody } from '../refusal.ts';
import { Connection, type OpenChannel, type Opening } from './connection.ts';
import { createConnections } from './connections.ts';

/**
 * Larger frames are closed with code 1009 (RFC 6455 §7.4.1); the channel's own, far lower limit is checked separately
 * and answered with a reason.
 */
const FRAME_MAX_BYTES = 1_048_576;
const USER_AGENT_MAX_LENGTH = 300;

/** The channels of one server. */
export interface LiveChannels {
  add(channel: OpenChannel): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    live: LiveChannels;
  }
}

/**
 * Takes over the upgrades of the server. Not through Fastify, which keeps the request, the reply and their sockets in
 * memory for as long as a socket lives (decision 015).
 */
export function serveUpgrades(app: FastifyInstance, deps: Deps): void {
  const channels = new Map<string, OpenChannel>();
  const connections = createConnections();
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: FRAME_MAX_BYTES,
    handleProtocols: (offered) => (offered.has(LIVE_PROTOCOL) ? LIVE_PROTOCOL : false),
  });

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const address = URL.parse(request.url ?? '', 'http://localhost');
    const channel = channels.get(address?.pathname ?? '');
    if (!address || !channel) {
      throw new Refusal('ID_DOESNOT_EXIST', { message: 'The requested URL was not found on this server' });
    }
    const opening = await openingOf(channel, Object.fromEntries(address.searchParams), request);
    const view = channel.definition.access === 'device' ? undefined : await channel.open(opening);
    if (stream.destroyed) return view?.onClose?.();
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('close', connections.add(new Connection(deps, channel, socket, opening, view)));
    });
  }

  async function openingOf(
    { definition }: OpenChannel,
    query: Record<string, string>,
    request: IncomingMessage,
  ): Promise<Opening> {
    const isSignedIn = definition.access === 'signed-in';
    const ip = request.socket.remoteAddress ?? '';
    const caller = isSignedIn ? await requireCaller(deps, tokenOf(request), ip) : undefined;
    if (caller) requireOwnOrganisation(caller, query);
    return {
      query: readPart(definition.query, query),
      caller,
      first: undefined,
      ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX_LENGTH),
    };
  }

  app.server.on('upgrade', (request, stream, head) => {
    // A peer that disconnects during the lookups must not bring the server down.
    stream.on('error', destroyIt);
    upgrade(request, stream, head).catch((reason) => refuseUpgrade(deps, stream, reason));
  });
  app.addHook('preClose', async () => connections.closeAll());
  app.decorate('live', { add: (channel: OpenChannel) => channels.set(channel.definition.path, channel) });
}

/** One function for all streams, since each keeps it for its lifetime. */
function destroyIt(this: Duplex): void {
  this.destroy();
}

/** The access token, which a browser can only send as a subprotocol (contract §13). */
function tokenOf({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  return offered.find((protocol) => protocol.startsWith('bearer.'))?.slice('bearer.'.length);
}

/** A refused upgrade is answered like a call: HTTP status and envelope. */
function refuseUpgrade({ log, random }: Deps, stream: Duplex, reason: unknown): void {
  const requestId = random.id();
  if (!(reason instanceof Refusal)) log.error({ err: reason, reqId: requestId }, 'defect in an upgrade');
  const refusal = reason instanceof Refusal ? reason : new Refusal('FAILED', { status: 500 });
  const usual = refusal.status ?? resultOf(refusal.result).status;
  // A business refusal normally has status 200, which would not be a valid answer to an upgrade.
  const status = usual === 200 ? 409 : usual;
  const body = JSON.stringify(refusalBody(refusal, requestId));
  // The stream no longer belongs to the server, so nothing else closes a peer that keeps its half open.
  stream.once('finish', destroyIt);
  stream.end(
    [
      `HTTP/1.1 ${status} ${refusal.result}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Cross-Origin-Resource-Policy: same-origin',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
