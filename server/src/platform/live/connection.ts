import type { WebSocket } from '@fastify/websocket';
import { type ChannelDefinition, type Language, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { requireContract } from '../http/answers/contract-broken.ts';
import { requireAllowedIp } from '../http/callers/allowed-ip.ts';
import { type Caller, findCaller } from '../http/callers/caller.ts';
import { formatSize } from '../http/requests/bound-body.ts';
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
const TOO_LONG = `The message cannot be larger than ${formatSize(MESSAGE_MAX_BYTES)}.`;

/** Parses a client message with its channel's schema, or returns an error message for developers. */
function readMessage(
  { client }: ChannelDefinition,
  data: Buffer,
  isBinary: boolean,
): { message: unknown } | { complaint: string } {
  if (!client) return { complaint: "This channel doesn't accept messages." };
  if (isBinary) return { complaint: 'Messages must be text.' };
  if (data.byteLength > MESSAGE_MAX_BYTES) return { complaint: TOO_LONG };
  const json = readBoundedJson(data.toString());
  if (json === undefined) return { complaint: 'The message is not valid JSON or is nested too deeply.' };
  const read = readShape(client, json);
  if ('data' in read) return { message: read.data };
  const [issue] = read.issues;
  return { complaint: `${issue?.path.join('.') || 'message'}: ${issue?.message}` };
}

/** Untyped `LiveOpening`, for code that handles every channel. */
export interface Opening {
  query: unknown;
  caller: Caller | undefined;
  first: unknown;
  ip: string;
  userAgent: string;
  /** Language of the messages. */
  language: Language;
}

/** Untyped `LiveView`, for code that handles every channel. */
export interface View {
  topics: readonly string[];
  state(): { message: object; expiresAt?: number };
  onMessage?(message: unknown): void | Promise<void>;
  onClose?(): void;
}

/** A contract channel with the feature that serves it. */
export interface OpenChannel {
  definition: ChannelDefinition;
  open(opening: Opening): View | Promise<View>;
}

/** WebSocket close codes (RFC 6455 §7.4.1), plus one portal-specific code. */
export const CLOSE = {
  goingAway: 1001,
  refused: 1008,
  defect: 1011,
  /** The session has ended. The client should sign in again instead of reconnecting. */
  sessionEnded: 4401,
} as const;

/** Maximum number of queued client messages. */
const WAITING_MAX = 32;
/** Time for a device to prove its identity, in seconds. */
const PROOF_SECONDS = 10;
/**
 * Maximum length of a close reason, in bytes. A close frame carries 125 bytes, including two for the code (RFC 6455
 * §5.5).
 */
const REASON_MAX_BYTES = 123;

/** Number of connections opened so far in this process. */
let connections = 0;

/** An open socket. Sends the state of its view and passes client messages to the view. */
export class Connection {
  /** True if the client has answered the last ping. */
  isAlive = true;
  /** Number that distinguishes this connection from others in the journal. */
  readonly #number = ++connections;
  readonly #deps: Deps;
  readonly #channel: OpenChannel;
  readonly #socket: WebSocket;
  readonly #outgoing: OutgoingMessages;
  readonly #caller: Caller | undefined;
  readonly #ip: string;
  readonly #query: unknown;
  readonly #language: Language;
  /** Opening data of a device's channel, stored until its first message arrives. */
  #opening: Opening | undefined;
  #view: View | undefined;
  #stopListening: (() => void) | undefined;
  #cancelWake: (() => void) | undefined;
  #wakeAt: PortalTime | undefined;
  /** Last message as JSON, without its timestamp. */
  #shown: string | undefined;
  #waiting = 0;
  #work: Promise<void> | undefined;
  /** True once the portal has closed the connection. Later messages are ignored. */
  #isOver = false;
  /** True while a message is being handled. State changes made meanwhile are sent together afterwards. */
  #isHandling = false;

  /**
   * Starts handling the socket's messages and its closure.
   * @param view undefined for a device's channel until the first message proves the device's identity
   */
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
    // Messages received before the client disconnected are still being handled and need the view, so release it
    // afterwards.
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

  /** Sends the current state if it has changed or `isAnswer` is true. Closes the socket if there is no state. */
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

  /** Records traffic in the journal, except on the lab's own channels. */
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

  /**
   * Returns the signed-in user, or undefined on a channel without sign-in. Throws if the session has ended or the
   * organisation no longer allows the user's address.
   */
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
      requireContract(server, { ...message, timestamp: clock.iso() }, `A message on ${path}`);
    }
    return JSON.stringify(message);
  }

  /** Schedules a state check at `time`, replacing any earlier schedule. */
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
      else this.close(CLOSE.refused, 'The device did not prove its identity.');
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

/** Truncates a reason at a character boundary to fit into a close frame. */
function cut(reason: string): string {
  let truncated = reason.slice(0, REASON_MAX_BYTES);
  while (Buffer.byteLength(truncated) > REASON_MAX_BYTES) truncated = truncated.slice(0, -1);
  return truncated;
}
