import type { Messages } from '@lingui/core';

const RIGHT_TO_LEFT = '\u202e';
const END = '\u202c';
/** Starts an isolate around an inserted value, which lets names, addresses and codes keep their direction. */
const ISOLATE = '\u2068';
const END_OF_ISOLATE = '\u2069';

const mirroredText = (text: string) => text.replaceAll(/[^<>]+(?![^<]*>)/g, `${RIGHT_TO_LEFT}$&${END}`);

/** Mirrors all text in a compiled message, including plural forms. Placeholders and `#` stay unchanged and isolated. */
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

/** Returns the messages of the pseudo-locale: English, written from right to left. */
export const mirrorMessages = (messages: Messages): Messages =>
  Object.fromEntries(Object.entries(messages).map(([id, message]) => [id, mirroredMessage(message)]));
