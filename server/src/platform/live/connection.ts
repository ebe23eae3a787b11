import type { WebSocket } from '@fastify/websocket';
import { type ChannelDefinition, type Language, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { requireContract } from '../http/answers/contract-broken.ts';
import { requireAllowedIp } from '../http/callers/allowed-ip.ts';
import { type Caller, findCaller } from '../http/callers/caller.ts';
import { sizeOf } from '../http/requests/body-too-large.ts';
import { readBoundedJson } from '../http/requests/bounded-json.ts';
import { readShape } from '../http/requests/read-shape.ts';
import type { RawSocket } from '../journal.ts';
import { Refusal } from '../refusal.ts';
import { later, type PortalTime, portalTime } from '../times.ts';
import { toGerman } from '../words/translate.ts';
import { translateTexts } from '../words/translate-texts.ts';
import { TOPIC } from './bus.ts';
import { OutgoingMessages } from './outgoing-messages.ts';

/** Maximum size of a client message in any channel, in bytes. */
const MESSAGE_MAX_BYTES = 16_384;
const TOO_LONG = `The message is too long: at most ${sizeOf(MESSAGE_MAX_BYTES)}.`;

/** Parses a client's message by the schema of its channel, or returns an error message for developers. */
function readMessage(
  { client }: ChannelDefinition,
  data: Buffer,
  isBinary: boolean,
): { message: unknown } | { complaint: string } {
  if (!client) return { complaint: "This channel doesn't accept messages." };
  if (isBinary) return { complaint: 'Messages must be text.' };
  if (data.byteLength > MESSAGE_MAX_BYTES) return { complaint: TOO_LONG };
  const json = readBoundedJson(data.toString());
  if (json === undefined) return { complaint: 'The message is not valid JSON, or is nested too deeply.' };
  const read = readShape(client, json);
  if ('data' in read) return { message: read.data };
  const [issue] = read.issues;
  return { complaint: `${issue?.path.join('.') || 'message'}: ${issue?.message}` };
}

/** `LiveOpening` of any channel. */
export interface Opening {
  query: unknown;
  caller: Caller | undefined;
  first: unknown;
  ip: string;
  userAgent: string;
  /** Of the texts in messages. */
  language: Language;
}

/** `LiveView` of any channel. */
export interface View {
  topics: readonly string[];
  state(): { message: object; expiresAt?: number };
  onMessage?(message: unknown): void | Promise<void>;
  onClose?(): void;
}

/** A channel of the contract with the feature that serves it. */
export interface OpenChannel {
  definition: ChannelDefinition;
  open(opening: Opening): View | Promise<View>;
}

/** Close codes of RFC 6455 §7.4.1, and one of the portal. */
export const CLOSE = {
  goingAway: 1001,
  refused: 1008,
  defect: 1011,
  /** The session has ended: the client should sign in, not reconnect. */
  sessionEnded: 4401,
} as const;

/** Maximum number of queued messages. */
const WAITING_MAX = 32;
/** Time for a device to prove its identity. */
const PROOF_SECONDS = 10;
/** RFC 6455 §5.5: a close frame holds 125 bytes, two of them the code. */
const REASON_MAX_BYTES = 123;

/** Number of connections so far in this process. */
let connections = 0;

/** An open socket. Sends the state of its view, and passes the client's messages to it. */
export class Connection {
  /** True if it has answered the last ping. */
  isAlive = true;
  /** Distinguishes it from other connections in the journal. */
  readonly #number = ++connections;
  readonly #deps: Deps;
  readonly #channel: OpenChannel;
  readonly #socket: WebSocket;
  readonly #outgoing: OutgoingMessages;
  readonly #caller: Caller | undefined;
  readonly #ip: string;
  readonly #query: unknown;
  readonly #language: Language;
  /** Stored until the first message of a device's channel. */
  #opening: Opening | undefined;
  #view: View | undefined;
  #stopListening: (() => void) | undefined;
  #cancelWake: (() => void) | undefined;
  #wakeAt: PortalTime | undefined;
  /** The last message as JSON, without its timestamp. */
  #shown: string | undefined;
  #waiting = 0;
  #work: Promise<void> | undefined;
  /** True once closed from this side; later messages are ignored. */
  #isOver = false;
  /** True while a message is handled; its changes are sent together afterwards. */
  #isHandling = false;

  /** @param view absent for a device's channel until the first message proves its identity */
  constructor(deps: Deps, channel: OpenChannel, socket: WebSocket, opening: Opening, view: View | undefined) {
    this.#deps = deps;
    this.#channel = channel;
    this.#socket = socket;
    this.#outgoing = new OutgoingMessages(socket);
    this.#caller = opening.caller;
    this.#ip = opening.ip;
    this.#query = opening.query;
    this.#language = opening.language;
    this.#opening = view ? undefined : opening;
    this.#record('opened');
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => {
      this.isAlive = true;
    });
    // Messages sent before the other side disconnected are still handled and need the view.
    socket.on('close', (code: number, reason: Buffer) => {
      this.#record('closed', { code, reason: reason.toString() });
      if (this.#waiting === 0) this.#release();
      else void this.#work?.then(() => this.#release());
    });
    if (view) this.#begin(view);
    else this.#wake(later(deps.clock.now(), PROOF_SECONDS * SECOND));
  }

  close(code: number, reason: string): void {
    this.#isOver = true;
    this.#release();
    this.#socket.close(code, cut(reason));
  }

  ping(): void {
    this.isAlive = false;
    this.#socket.ping();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #begin(view: View): void {
    this.#view = view;
    this.#opening = undefined;
    const caller = this.#caller;
    const own = caller ? [TOPIC.session(caller.sid), TOPIC.addresses(caller.orgCode), TOPIC.reset] : [TOPIC.reset];
    this.#stopListening = this.#deps.bus.listen([...view.topics, ...own], () => {
      if (!this.#isHandling) this.#show(false);
    });
    this.#show(false);
  }

  /** Sends the current state if it is new or `isAnswer`; closes the socket if there is none. */
  #show(isAnswer: boolean): void {
    const view = this.#view;
    if (!view || this.#socket.readyState !== this.#socket.OPEN) return;
    try {
      const caller = this.#requireSession();
      const { message: state, expiresAt } = view.state();
      const message = translateTexts(this.#channel.definition.server, state, this.#language);
      const json = this.#toJson(message);
      if (isAnswer || json !== this.#shown) {
        this.#shown = json;
        this.#send(message, `${json.slice(0, -1)},"timestamp":"${this.#deps.clock.iso()}"}`);
      }
      this.#wake(earliest(expiresAt, caller?.sessionExpiresAt));
    } catch (reason) {
      this.#fail(reason);
    }
  }

  /** Records traffic in the journal, except that of the lab's own channels. */
  #record(direction: RawSocket['direction'], more: Pick<RawSocket, 'message' | 'code' | 'reason'> = {}): void {
    const { definition } = this.#channel;
    if (definition.access === 'lab') return;
    const { suid, orgCode } = this.#caller ?? {};
    const [channel, connection, query] = [definition, this.#number, this.#query];
    this.#deps.journal.record({ kind: 'socket', channel, connection, direction, suid, orgCode, query, ...more });
  }

  /** Sends a message, unless the lab makes it fail. */
  #send(message: object, text: string): void {
    const { path } = this.#channel.definition;
    const fault = this.#deps.socketFaults.takeMessage(path, message);
    if (fault) this.#deps.journal.record({ kind: 'fault', path, what: fault.do });
    this.#record('sent', { message });
    if (fault?.do === 'cut') this.terminate();
    else if (fault?.do === 'close') this.close(fault.code ?? CLOSE.goingAway, 'The lab closed this connection.');
    else this.#outgoing.send(text, fault);
  }

  /** Returns the current caller. Throws if the session has ended or the organisation no longer allows the address. */
  #requireSession(): Caller | undefined {
    const caller = this.#caller && findCaller(this.#deps, this.#caller);
    if (this.#caller && !caller) throw new Refusal('INVALID_SESSION');
    if (caller) requireAllowedIp(this.#ip, caller);
    return caller;
  }

  #toJson(message: object): string {
    const { config, clock } = this.#deps;
    if (!config.isProduction) {
      const { path, server } = this.#channel.definition;
      requireContract(server, { ...message, timestamp: clock.iso() }, `A message of ${path}`);
    }
    return JSON.stringify(message);
  }

  /** Schedules a check at `time`, replacing an earlier one. */
  #wake(time: PortalTime | undefined): void {
    if (time === this.#wakeAt) return;
    this.#cancelWake?.();
    this.#wakeAt = undefined;
    this.#cancelWake = undefined;
    if (time === undefined || time <= this.#deps.clock.now()) return;
    this.#wakeAt = time;
    this.#cancelWake = this.#deps.clock.at(time, () => {
      this.#wakeAt = undefined;
      if (this.#view) this.#show(false);
      else this.close(CLOSE.refused, 'The device has not proven itself.');
    });
  }

  #receive(data: Buffer, isBinary: boolean): void {
    const read =
      this.#waiting < WAITING_MAX
        ? readMessage(this.#channel.definition, data, isBinary)
        : { complaint: 'Too many messages.' };
    if ('complaint' in read) {
      this.close(CLOSE.refused, read.complaint);
      return;
    }
    this.#record('received', { message: read.message });
    this.#waiting += 1;
    const { lifetime } = this.#deps.world;
    this.#work = (this.#work ?? Promise.resolve()).then(() => lifetime.run(() => this.#handle(read.message)));
  }

  async #handle(message: unknown): Promise<void> {
    if (this.#isOver) return;
    const isProof = !this.#view;
    this.#isHandling = true;
    try {
      this.#requireSession();
      await this.#tell(message);
    } catch (reason) {
      this.#fail(reason);
    } finally {
      this.#isHandling = false;
      this.#waiting -= 1;
    }
    if (!isProof) this.#show(true);
  }

  async #tell(message: unknown): Promise<void> {
    if (!this.#opening) return this.#view?.onMessage?.(message);
    const view = await this.#channel.open({ ...this.#opening, first: message });
    if (this.#socket.readyState === this.#socket.OPEN) this.#begin(view);
    else view.onClose?.();
  }

  #fail(reason: unknown): void {
    if (reason instanceof Refusal) {
      const hasEnded = reason.result === 'INVALID_SESSION' || reason.result === 'UNAUTHORIZED';
      const message = this.#language === 'en' ? reason.message : toGerman(reason.message);
      this.close(hasEnded ? CLOSE.sessionEnded : CLOSE.refused, `${reason.result}: ${message}`);
    } else {
      this.#deps.log.error(reason, `defect in ${this.#channel.definition.path}`);
      this.close(CLOSE.defect, 'Something went wrong!');
    }
  }

  /** Releases everything that keeps this connection alive. Can be called twice. */
  #release(): void {
    this.#stopListening?.();
    this.#cancelWake?.();
    this.#view?.onClose?.();
    this.#stopListening = undefined;
    this.#cancelWake = undefined;
    this.#view = undefined;
  }
}

function earliest(...times: (number | undefined)[]): PortalTime | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : portalTime(Math.min(...known));
}

/** Cuts a reason at a character boundary to fit into a close frame. */
function cut(reason: string): string {
  let kept = reason.slice(0, REASON_MAX_BYTES);
  while (Buffer.byteLength(kept) > REASON_MAX_BYTES) kept = kept.slice(0, -1);
  return kept;
}
