import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Deps } from '../../deps.ts';
import type { Tls } from '../../platform/adapters/local-authority.ts';
import { Malformed } from './ber.ts';
import { answerBind, type Bound } from './bind.ts';
import { createFrames } from './frames.ts';
import {
  answerTagOf,
  disconnection,
  type LdapRequest,
  type LdapResult,
  outcomeOf,
  RESULT,
  readRequest,
  SEARCH_DONE,
  writeEntry,
  writeResult,
} from './message.ts';
import { locate, readName } from './names.ts';
import { answerSearch, START_TLS, WHO_AM_I } from './search.ts';

/** Requests that wait behind a bind. */
const QUEUED_MAX = 100;
const BIND_RESPONSE = 0x61;
const EXTENDED_RESPONSE = 0x78;

/**
 * Answers one connection, a request at a time and in order: each waits for the binds before it.
 * @param tls with which StartTLS is answered; null where it is not, or the connection is encrypted already
 */
export function serveConnection(deps: Deps, raw: Socket, tls: Tls | null): void {
  const { log, journal } = deps;
  let socket = raw;
  let canStartTls = tls !== null;
  let frames = createFrames();
  let bound: Bound | undefined;
  let stopWaiting: (() => void) | undefined;
  let turn = Promise.resolve();
  let queued = 0;
  const ip = raw.remoteAddress ?? '';

  function listen(): void {
    socket.on('data', onData);
    // A client may go away at any time.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => stopWaiting?.());
  }

  function onData(data: Buffer): void {
    try {
      for (const bytes of frames.add(data)) enqueue(readRequest(bytes));
    } catch (reason) {
      if (!(reason instanceof Malformed)) log.error(reason, 'an LDAP request could not be read');
      hangUp(reason instanceof Malformed ? reason.message : '');
    }
  }

  function hangUp(message: string): void {
    socket.off('data', onData);
    const result = { code: RESULT.protocolError, message };
    record('unreadable', result);
    socket.end(disconnection(result));
    stopWaiting?.();
  }

  function enqueue(request: LdapRequest): void {
    if (request.op === 'unbind') {
      socket.end();
      stopWaiting?.();
      return;
    }
    // The one request that takes long is a bind, which cannot be abandoned (RFC 4511 §4.11).
    if (request.op === 'abandon') return;
    queued += 1;
    if (queued > QUEUED_MAX) {
      hangUp('Too many requests wait.');
      return;
    }
    turn = turn
      .then(() => answer(request))
      .catch((reason: unknown) => {
        log.error(reason, 'an LDAP request could not be answered');
        socket.destroy();
      })
      .finally(() => {
        queued -= 1;
      });
  }

  /** @param name in which something is asked for; the application is that of the name, or else that of the connection */
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
      name: name ?? bound?.dn,
      ip,
    });
  }

  async function answer(request: LdapRequest): Promise<void> {
    if (socket.destroyed || !socket.writable) return;
    const { id } = request;
    if (request.hasUnknownControl) {
      const result = { code: RESULT.unavailableCriticalExtension };
      record(request.op, result);
      socket.write(writeResult(id, answerTagOf(request), result));
      return;
    }
    switch (request.op) {
      case 'bind':
        return bind(id, request);
      case 'search': {
        const { entries, result } = await answerSearch(deps, bound, request, canStartTls);
        record('search', result, request.base);
        socket.write(
          Buffer.concat([...entries.map((entry) => writeEntry(id, entry)), writeResult(id, SEARCH_DONE, result)]),
        );
        return;
      }
      case 'extended':
        return extended(id, request.name);
      case 'other': {
        const result = { code: RESULT.unwillingToPerform, message: 'This directory is read-only.' };
        record('other', result);
        socket.write(writeResult(id, request.answeredBy, result));
      }
    }
  }

  async function bind(id: number, request: Extract<LdapRequest, { op: 'bind' }>): Promise<void> {
    // RFC 4511 §4.2.1: while it is answered, and where it fails, the connection is nobody's.
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
    socket.write(writeResult(id, BIND_RESPONSE, answered.result));
  }

  function extended(id: number, name: string): void {
    const say = (operation: string, result: LdapResult, value: Parameters<typeof writeResult>[3]) => {
      record(operation, result);
      socket.write(writeResult(id, EXTENDED_RESPONSE, result, value));
    };
    if (name === WHO_AM_I) {
      say('who am I', { code: RESULT.success }, { value: bound ? `dn:${bound.dn}` : '' });
      return;
    }
    if (name !== START_TLS) {
      const result = { code: RESULT.protocolError, message: 'This operation is not known.' };
      say('extended', result, {});
      return;
    }
    if (!tls || !canStartTls) {
      const result = { code: RESULT.unavailable, message: 'There is no certificate: start the portal with TLS=on.' };
      say('StartTLS', result, { name });
      return;
    }
    canStartTls = false;
    socket.removeAllListeners('data');
    socket.removeAllListeners('close');
    say('StartTLS', { code: RESULT.success }, { name });
    frames = createFrames();
    bound = undefined;
    socket = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) });
    listen();
  }

  listen();
}
