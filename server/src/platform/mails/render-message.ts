import type { outboxRepo, schema } from '@orchestrate/db';
import { type Block, type Brand, type Letter, text as textBlock } from './letter.ts';
import { letterHtml } from './letter-html.ts';
import { letterText } from './letter-text.ts';
import { templates } from './templates.ts';

/** A rendered message; a text message has neither subject nor HTML. */
export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
}

/** Renders a row of the outbox, in the brand of its organisation. */
export function renderMessage(
  brand: Brand,
  { channel, template, facts }: Pick<outboxRepo.OutboxRow, 'channel' | 'template' | 'facts'>,
): RenderedMessage {
  const letter = letterOf(brand, template, facts);
  const text = letterText(brand, letter);
  if (channel === 'text') return { subject: '', text, html: '' };
  // One line, whatever a device is called: line breaks would add headers (RFC 5322 §2.2).
  const subject = letter.subject.replace(/[\s\p{Cc}]+/gu, ' ');
  return { subject, text, html: letterHtml(brand, { ...letter, subject }) };
}

function letterOf<Template extends schema.MessageTemplate>(
  brand: Brand,
  template: Template,
  facts: schema.MessageFacts[Template],
): Letter {
  const letter = templates[template](brand, facts);
  return { ...letter, blocks: letter.blocks.map(withoutForgotten) };
}

/** The code or link of a message is forgotten once it has been used or has expired. */
function withoutForgotten(block: Block): Block {
  if (block.kind === 'code' && block.code === '') return textBlock('(This code is no longer valid.)');
  if (block.kind === 'link' && block.href === '') return textBlock('(This link is no longer valid.)');
  return block;
}
