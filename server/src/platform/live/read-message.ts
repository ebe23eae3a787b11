import type { ChannelDefinition } from '@orchestrate/shared';
import { sizeOf } from '../http/requests/body-too-large.ts';
import { readBoundedJson } from '../http/requests/bounded-json.ts';
import { readShape } from '../http/requests/read-shape.ts';

/** No channel accepts a client message longer than this. */
const MESSAGE_MAX_BYTES = 16_384;
const TOO_LONG = `The message is too long: at most ${sizeOf(MESSAGE_MAX_BYTES)}.`;

/** A client's message, if it fits the schema of its channel; otherwise why not, in a sentence for developers. */
export function readMessage(
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
