import type { OutboxMessage } from '@orchestrate/shared';

/** The messages whose address contains the text, whatever its case. */
export function matchingMessages(messages: readonly OutboxMessage[], to: string): OutboxMessage[] {
  const wanted = to.trim().toLowerCase();
  return messages.filter((message) => message.to.toLowerCase().includes(wanted));
}

/** What a message is called in a list: its subject, or how a text message begins. */
export const titleOf = ({ subject, text }: OutboxMessage): string => subject || (text.trim().split('\n')[0] ?? '');
