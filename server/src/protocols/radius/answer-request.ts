import { isIP } from 'node:net';
import {
  type Asked,
  askPerson,
  claimAnswered,
  isAskedHere,
  whenAnswered,
} from '../../core/sign-in/app-logins/ask-person.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { RadiusApplication } from './find-radius-application.ts';
import { ATTRIBUTE, type Attribute, CODE, type RadiusPacket, textAttribute, textOf, valuesOf } from './packet.ts';

/** A reply that its request has not signed yet. */
export interface RadiusReply {
  code: number;
  attributes: Attribute[];
}

/** A request that one of our applications has made. */
interface Received {
  packet: RadiusPacket;
  /** The client's. */
  address: string;
}

type Send = (reply: RadiusReply) => void;

/**
 * Answers a request, at once or when the person has answered.
 * @returns a function that stops waiting; undefined where it has been answered at once
 */
export function answerRequest(
  deps: Deps,
  found: RadiusApplication,
  received: Received,
  send: Send,
): (() => void) | undefined {
  try {
    return answer(deps, found, received, send);
  } catch (reason) {
    send(rejectionOf(reason));
    return undefined;
  }
}

/** @throws Refusal */
function answer(deps: Deps, found: RadiusApplication, received: Received, send: Send): (() => void) | undefined {
  const { packet } = received;
  // A client asks whether anybody is here (RFC 5997 §4.1).
  if (packet.code === CODE.statusServer) {
    send({ code: CODE.accessAccept, attributes: [] });
    return undefined;
  }
  requireOnce(packet);
  const name = textOf(packet, ATTRIBUTE.userName).trim();
  if (name === '') throw refused('The request names nobody.');
  const { application, client } = found;
  const begun = textOf(packet, ATTRIBUTE.state);
  if (begun !== '') {
    if (!isAskedHere(deps, application, { loginId: begun, name })) throw new Refusal('EXPIRED');
    return wait(deps, found, received, { loginId: begun, send });
  }
  requirePap(packet);
  const asking = { application, protocol: 'radius' as const, method: client.method, name };
  const asked = askPerson(deps, { ...asking, requester: requesterOf(received) });
  const instruction = instructionOf(asked);
  if (instruction === undefined) return wait(deps, found, received, { loginId: asked.loginId, send });
  const state = { type: ATTRIBUTE.state, value: Buffer.from(asked.loginId) };
  send({ code: CODE.accessChallenge, attributes: [textAttribute(ATTRIBUTE.replyMessage, instruction), state] });
  return undefined;
}

/** A client that reads another of several would take the answer for somebody else's (RFC 2865 §5.44). @throws Refusal */
function requireOnce(packet: RadiusPacket): void {
  for (const [name, type] of ONCE) {
    if (valuesOf(packet, type).length > 1) throw refused(`The request has several ${name}.`);
  }
}

const ONCE = [
  ['names', ATTRIBUTE.userName],
  ['states', ATTRIBUTE.state],
] as const;

/**
 * The password is never read: it only says that a sign-in is wanted (RFC 2865 §5.2), and that in no other way beside it
 * (RFC 3579 §3.3). @throws Refusal
 */
function requirePap(packet: RadiusPacket): void {
  const [password, ...others] = valuesOf(packet, ATTRIBUTE.userPassword);
  const isOnly = others.length === 0 && OTHER_WAYS.every((type) => valuesOf(packet, type).length === 0);
  if (password === undefined || !isOnly) throw refused('Only PAP is supported.');
  const isWhole = password.length >= 16 && password.length <= 128 && password.length % 16 === 0;
  if (!isWhole) throw refused('The User-Password must have 16 to 128 octets, in sixteens.');
}

const OTHER_WAYS = [ATTRIBUTE.chapPassword, ATTRIBUTE.arapPassword, ATTRIBUTE.eapMessage];

function wait(
  deps: Deps,
  { application }: RadiusApplication,
  received: Received,
  { loginId, send }: { loginId: string; send: Send },
): () => void {
  return whenAnswered(deps, loginId, () => {
    try {
      const { primaryEmail, roleCode } = claimAnswered(deps, { application, loginId, ip: requesterOf(received).ip });
      const attributes = [textAttribute(ATTRIBUTE.userName, primaryEmail), textAttribute(ATTRIBUTE.filterId, roleCode)];
      send({ code: CODE.accessAccept, attributes });
    } catch (reason) {
      send(rejectionOf(reason));
    }
  });
}

/** @throws `reason` where it is a defect */
function rejectionOf(reason: unknown): RadiusReply {
  if (!(reason instanceof Refusal)) throw reason;
  return { code: CODE.accessReject, attributes: [textAttribute(ATTRIBUTE.replyMessage, sentenceOf(reason))] };
}

const sentenceOf = ({ result, message }: Refusal): string => SENTENCES[result] ?? message;

const SENTENCES: Readonly<Record<string, string>> = {
  EXPIRED: 'Nobody has answered in time. Start again.',
  LOGIN_NO_CONSENT: 'The request was denied on the device.',
};

/** What the person must be shown before they can answer; undefined where the device simply asks. */
function instructionOf({ matchNumber, typedCode }: Asked): string | undefined {
  const number = matchNumber === undefined ? '' : `choose ${matchNumber} on your device`;
  if (typedCode !== undefined) {
    const code = `${typedCode.slice(0, 4)}-${typedCode.slice(4)}`;
    return `Type ${code} in your authenticator, ${number && `${number}, `}then press Enter here.`;
  }
  return number === '' ? undefined : `C${number.slice(1)}, then press Enter here.`;
}

/** Where the request comes from, as the device shows it: the person's own address, where the client knows it. */
function requesterOf({ packet, address }: Received): { ip: string; userAgent: string } {
  const calling = textOf(packet, ATTRIBUTE.callingStationId);
  const client = textOf(packet, ATTRIBUTE.nasIdentifier) || address;
  return { ip: isIP(calling) === 0 ? address : calling, userAgent: `RADIUS client ${client}` };
}

const refused = (message: string): Refusal => new Refusal('INVALID_REQUEST', { message });
