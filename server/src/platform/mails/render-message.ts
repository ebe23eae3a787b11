import type { outboxRepo, schema } from '@orchestrate/db';
import { type Block, type Brand, type Letter, text as textBlock } from './letter.ts';
import { letterHtml } from './letter-html.ts';
import { letterText } from './letter-text.ts';
import { fillMail, type MailText } from './mail-text.ts';
import { commonValues, MAIL_KINDS, type MailName } from './templates.ts';

/** A rendered message; a text message has neither subject nor HTML. */
export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
}

/** Renders a row of the outbox, in the brand of its organisation. @param own the organisation's own words for it */
export function renderMessage(
  brand: Brand,
  { channel, template, facts }: Pick<outboxRepo.OutboxRow, 'channel' | 'template' | 'facts'>,
  own?: MailText,
): RenderedMessage {
  const letter = letterOf(brand, { template, facts }, own);
  const text = letterText(brand, letter);
  if (channel === 'text') return { subject: '', text, html: '' };
  // One line, whatever a device is called: line breaks would add headers (RFC 5322 §2.2).
  const subject = letter.subject.replace(/[\s\p{Cc}]+/gu, ' ');
  return { subject, text, html: letterHtml(brand, { ...letter, subject }) };
}

function letterOf(
  brand: Brand,
  { template, facts }: Pick<outboxRepo.OutboxRow, 'template' | 'facts'>,
  own: MailText | undefined,
): Letter {
  if (template !== 'tried') return worded(brand, template, facts as Facts[MailName], own);
  const tried = facts as Facts['tried'];
  const sample = { ...MAIL_KINDS[tried.of].sampleAt(tried.at), firstName: tried.firstName };
  return worded(brand, tried.of, sample, tried);
}

function worded<Name extends MailName>(
  brand: Brand,
  name: Name,
  facts: Facts[Name],
  own: MailText | undefined,
): Letter {
  const { text, valuesOf } = MAIL_KINDS[name];
  const { subject, blocks } = fillMail(own ?? text, { ...commonValues(brand, facts), ...valuesOf(facts) });
  return { subject, firstName: facts.firstName, blocks: blocks.map(withoutForgotten) };
}

type Facts = schema.MessageFacts;

/** The code or link of a message is forgotten once it has been used or has expired. */
function withoutForgotten(block: Block): Block {
  if (block.kind === 'code' && block.code === '') return textBlock('(This code is no longer valid.)');
  if (block.kind === 'link' && block.href === '') return textBlock('(This link is no longer valid.)');
  return block;
}
