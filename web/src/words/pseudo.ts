import type { Messages } from '@lingui/core';

const RIGHT_TO_LEFT = '\u202e';
const END = '\u202c';
/** Around what code fills in: a name, an address or a code is read in its own direction. */
const ISOLATE = '\u2068';
const END_OF_ISOLATE = '\u2069';

const mirroredText = (text: string) => text.replaceAll(/[^<>]+(?![^<]*>)/g, `${RIGHT_TO_LEFT}$&${END}`);

/**
 * Every text in a compiled message, also inside the forms of a plural; names of values and `#` stay, each value on its
 * own.
 */
function mirroredMessage<Message>(message: Message): Message {
  if (typeof message === 'string') return mirroredText(message) as Message;
  if (!Array.isArray(message)) return message;
  return message.flatMap((part) => {
    if (typeof part === 'string') return [part === '#' ? part : mirroredText(part)];
    const [name, kind, forms] = part;
    if (typeof forms !== 'object') return [ISOLATE, part, END_OF_ISOLATE];
    const each = Object.entries(forms).map(([form, text]) => [form, mirroredMessage(text)]);
    return [[name, kind, Object.fromEntries(each)]];
  }) as Message;
}

/** The pseudo-language that shows how pages read from the right: the same letters, written the other way. */
export const mirrored = (messages: Messages): Messages =>
  Object.fromEntries(Object.entries(messages).map(([id, message]) => [id, mirroredMessage(message)]));
