import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createSecureContext, TLSSocket } from 'node:tls';
import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { Tls } from '#platform/adapters/local-authority.ts';
import { Malformed } from './ber.ts';
import { answerBind, type BoundIdentity } from './bind.ts';
import { type LdapRequest, type LdapResult, outcomeOf, RESULT, responseTagOf, TAG } from './message.ts';
import { locate, readName } from './names.ts';
import { readRequest } from './read-request.ts';
import { answerCompare, answerSearch, START_TLS, WHO_AM_I } from './search.ts';
import { writeDisconnection, writeEntry, writeResult, writeSearchDone } from './write-response.ts';

/** Maximum message size. A search that filters by 1,000 names is about 50 kB. */
const MESSAGE_MAX_BYTES = 262_144;
/** Maximum message size before a bind, when anyone can send messages. Even a long bind is smaller than 1 kB. */
const UNBOUND_MAX_BYTES = 16_384;

/** Splits received bytes into messages, each a BER sequence preceded by its length (X.690 §8.1.3). */
interface Frames {
  /**
   * Adds received bytes and returns the messages that are now complete. @throws Malformed for an overlong or invalid
   * message
   */
  add(data: Buffer): Buffer[];
  /** Returns true if an incomplete message is buffered. */
  isUnfinished(): boolean;
}

/** Creates a splitter. @param isBound returns true if the connection is bound, which allows longer messages */
function createFrames(isBound: () => boolean): Frames {
  let pending = Buffer.alloc(0);
  return {
    add(data) {
      pending = pending.length === 0 ? Buffer.from(data) : Buffer.concat([pending, data]);
      const whole: Buffer[] = [];
      const max = isBound() ? MESSAGE_MAX_BYTES : UNBOUND_MAX_BYTES;
      const next = () => lengthOf(pending, max);
      for (let length = next(); length !== undefined && length <= pending.length; length = next()) {
        whole.push(pending.subarray(0, length));
        pending = pending.subarray(length);
      }
      return whole;
    },
    isUnfinished: () => pending.length > 0,
  };
}

/** Returns the first message's total length, or undefined until its header has arrived. */
function lengthOf(bytes: Buffer, max: number): number | undefined {
  const [tag, first] = bytes;
  if (tag === undefined) return undefined;
  if (tag !== 0x30) throw new Malformed('This is not an LDAP message.');
  if (first === undefined) return undefined;
  if (first < 0x80) return 2 + first;
  const size = first - 0x80;
  if (size === 0 || size > 4) throw new Malformed('The message length is invalid.');
  if (bytes.length < 2 + size) return undefined;
  const length = 2 + size + bytes.readUIntBE(2, size);
  if (length > max) throw new Malformed('The message is too long.');
  return length;
}

const isStartTls = (request: LdapRequest): boolean => request.op === 'extended' && request.name === START_TLS;

/** Idle timeout, the same as the default of Active Directory's `MaxConnIdleTime`. */
const IDLE_MS = 15 * MINUTE;

/** Time limit for receiving one message. */
const MESSAGE_MS = MINUTE;

/** Maximum length of a name in the journal. */
const NAME_MAX_LENGTH = 500;

/** Maximum number of queued requests. Reading from the connection pauses above this limit. */
const QUEUED_MAX = 100;

/**
 * Serves a connection. Requests are handled one at a time and in order, so each waits for earlier binds.
 * @param tls context for StartTLS; null if StartTLS isn't available or the connection is already encrypted
 */
export function serveConnection(deps: Deps, raw: Socket, tls: Tls | null): void {
  const { log, journal } = deps;
  let socket = raw;
  let canStartTls = tls !== null;
  let bound: BoundIdentity | undefined;
  const isBound = () => bound !== undefined;
  let frames = createFrames(isBound);
  let stopWaiting: (() => void) | undefined;
  let turn = Promise.resolve();
  let queued = 0;
  let isStartingTls = false;
  const ip = raw.remoteAddress ?? '';
  // Uses real time because the lab's clock can be frozen or changed.
  const idle = setTimeout(onIdle, IDLE_MS).unref();
  let unfinished: NodeJS.Timeout | undefined;
  raw.once('close', () => {
    clearTimeout(idle);
    clearTimeout(unfinished);
  });

  function onIdle(): void {
    // Keep the connection open while a bind waits for approval, which never expires while the lab's clock is frozen.
    if (stopWaiting) {
      idle.refresh();
      return;
    }
    const message = `The connection was idle for ${IDLE_MS / MINUTE} minutes.`;
    if (socket.writable) socket.write(writeDisconnection({ code: RESULT.unavailable, message }));
    // A client that has stopped reading would prevent a graceful close and keep the connection open forever.
    if (socket.writableNeedDrain || !socket.writable) socket.destroy();
    else socket.destroySoon();
  }

  function listen(): void {
    socket.on('data', onData);
    // The client can disconnect at any time. Without a listener, the error would be uncaught.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => stopWaiting?.());
  }

  function onData(data: Buffer): void {
    idle.refresh();
    try {
      const whole = frames.add(data);
      if (whole.length > 0 || !frames.isUnfinished()) {
        clearTimeout(unfinished);
        unfinished = undefined;
      }
      if (frames.isUnfinished()) unfinished ??= setTimeout(() => socket.destroy(), MESSAGE_MS).unref();
      for (const bytes of whole) {
        // RFC 4511 §4.14.1: plain-text data must not be treated as part of the encrypted stream.
        if (isStartingTls) throw new Malformed('Requests cannot follow StartTLS before its response.');
        const request = readRequest(bytes);
        isStartingTls = canStartTls && !request.refused && isStartTls(request);
        enqueue(request);
      }
    } catch (reason) {
      if (!(reason instanceof Malformed)) log.error(reason, "couldn't read an LDAP request");
      hangUp(reason instanceof Malformed ? reason.message : '');
    }
  }

  function hangUp(message: string): void {
    socket.off('data', onData);
    const result = { code: RESULT.protocolError, message };
    record('unreadable', result);
    socket.end(writeDisconnection(result));
    stopWaiting?.();
  }

  function enqueue(request: LdapRequest): void {
    if (request.op === 'unbind') {
      socket.end();
      stopWaiting?.();
      return;
    }
    // Ignore abandon requests: only binds are slow, and a bind can't be abandoned (RFC 4511 §4.11).
    if (request.op === 'abandon') return;
    queued += 1;
    if (queued > QUEUED_MAX) socket.pause();
    turn = turn
      .then(() => answer(request))
      .catch((reason: unknown) => {
        log.error(reason, "couldn't answer an LDAP request");
        socket.destroy();
      })
      // Lets other connections run between this connection's requests.
      .then(() => setImmediate())
      .finally(() => {
        queued -= 1;
        if (queued === QUEUED_MAX) socket.resume();
      });
  }

  /** Resolves when the send buffer has room, so a slow reader delays only itself. */
  const send = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => {
      const onTaken = () => {
        idle.refresh();
        resolve();
      };
      if (socket.write(bytes, onTaken)) resolve();
    });

  /**
   * Records an exchange in the journal. @param name the request's DN, which determines the application; defaults to
   * the connection's DN
   */
  function record(operation: string, result: LdapResult, name?: string): void {
    const parts = name ? readName(name) : undefined;
    const application = (parts && locate(deps, parts)?.application) ?? bound?.application;
    journal.record({
      kind: 'exchange',
      protocol: 'ldap',
      operation,
      outcome: outcomeOf(result),
      orgCode: application?.orgCode,
      appId: application?.appId,
      name: (name ?? bound?.dn)?.slice(0, NAME_MAX_LENGTH),
      ip,
    });
  }

  async function answer(request: LdapRequest): Promise<void> {
    if (socket.destroyed || !socket.writable) return;
    const { id } = request;
    if (request.refused) {
      record(request.op, request.refused);
      return send(writeResult(id, responseTagOf(request), request.refused));
    }
    switch (request.op) {
      case 'bind':
        return bind(id, request);
      case 'search': {
        const { entries, result, cookie } = await answerSearch(deps, bound, request, canStartTls);
        record('search', result, request.base);
        return send(
          Buffer.concat([...entries.map((entry) => writeEntry(id, entry)), writeSearchDone(id, result, cookie)]),
        );
      }
      case 'compare': {
        const result = await answerCompare(deps, bound, request);
        record('compare', result, request.dn);
        return send(writeResult(id, TAG.compareResponse, result));
      }
      case 'extended':
        return extended(id, request);
      case 'other': {
        const result = { code: RESULT.unwillingToPerform, message: 'This directory is read-only.' };
        record('other', result);
        return send(writeResult(id, request.answeredBy, result));
      }
    }
  }

  async function bind(id: number, request: Extract<LdapRequest, { op: 'bind' }>): Promise<void> {
    // RFC 4511 §4.2.1: the connection is anonymous during a bind and after a failed bind.
    bound = undefined;
    const answered = await answerBind(deps, request, {
      ip,
      onWaiting: (stop) => {
        stopWaiting = stop;
      },
    });
    stopWaiting = undefined;
    if (!answered) return;
    bound = answered.bound;
    record('bind', answered.result, request.dn);
    return send(writeResult(id, TAG.bindResponse, answered.result));
  }

  function extended(id: number, request: Extract<LdapRequest, { op: 'extended' }>): Promise<void> {
    const respond = (operation: string, result: LdapResult, value: Parameters<typeof writeResult>[3]) => {
      record(operation, result);
      return send(writeResult(id, TAG.extendedResponse, result, value));
    };
    const { name } = request;
    if (name === WHO_AM_I) {
      return respond('who am I', { code: RESULT.success }, { value: bound ? `dn:${bound.dn}` : '' });
    }
    if (!isStartTls(request)) {
      return respond('extended', { code: RESULT.protocolError, message: 'This operation is not supported.' }, {});
    }
    if (socket instanceof TLSSocket) {
      const result = { code: RESULT.operationsError, message: 'The connection is already encrypted.' };
      return respond('StartTLS', result, { name });
    }
    if (!tls || !canStartTls) {
      const result = { code: RESULT.unavailable, message: 'The portal has no certificate. Start it with TLS=on.' };
      return respond('StartTLS', result, { name });
    }
    canStartTls = false;
    socket.removeAllListeners('data');
    socket.removeAllListeners('close');
    const sent = respond('StartTLS', { code: RESULT.success }, { name });
    isStartingTls = false;
    frames = createFrames(isBound);
    bound = undefined;
    socket = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext({ key: tls.key, cert: tls.cert }),
    });
    listen();
    return sent;
  }

  listen();
}
