import type { outboxRepo, schema } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';
import { type Block, type Brand, type Letter, text as textBlock } from './letter.ts';
import { letterHtml } from './letter-html.ts';
import { letterText } from './letter-text.ts';
import { fillMail, type MailText } from './mail-text.ts';
import { commonValues, MAIL_KINDS, PORTAL_WORDS, saidIn } from './templates.ts';
import type { MailName, PortalWords } from './words/portal-words.ts';

/** A rendered message; a text message has neither subject nor HTML. */
export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
}

type Written = Pick<outboxRepo.OutboxRow, 'template' | 'facts' | 'language'>;

/**
 * Renders a row of the outbox in its language and the brand of its organisation.
 * @param own the organisation's own words for it, in that language
 */
export function renderMessage(
  brand: Brand,
  { channel, ...written }: Written & Pick<outboxRepo.OutboxRow, 'channel'>,
  own?: MailText,
): RenderedMessage {
  const letter = letterOf(brand, written, own);
  const text = letterText(brand, letter);
  if (channel === 'text') return { subject: '', text, html: '' };
  // One line, whatever a device is called: line breaks would add headers (RFC 5322 §2.2).
  const subject = letter.subject.replace(/[\s\p{Cc}]+/gu, ' ');
  return { subject, text, html: letterHtml(brand, { ...letter, subject }) };
}

function letterOf(brand: Brand, { template, facts, language }: Written, own: MailText | undefined): Letter {
  if (template !== 'tried') return worded(brand, { name: template, facts: facts as Facts[MailName], language, own });
  const tried = facts as Facts['tried'];
  const sample = { ...MAIL_KINDS[tried.of].sampleAt(tried.at, PORTAL_WORDS[language]), firstName: tried.firstName };
  return worded(brand, { name: tried.of, facts: sample, language, own: tried });
}

interface Wording<Name extends MailName> {
  name: Name;
  facts: Facts[Name];
  language: Language;
  own: MailText | undefined;
}

function worded<Name extends MailName>(brand: Brand, { name, facts, language, own }: Wording<Name>): Letter {
  const said = saidIn(language);
  const { words } = said;
  const values = { ...commonValues(brand, facts), ...MAIL_KINDS[name].valuesOf(facts, said) };
  const { subject, blocks } = fillMail(own ?? words.texts[name], values);
  return {
    language,
    subject,
    greeting: words.greeting(facts.firstName),
    blocks: blocks.map((block) => withoutForgotten(block, words)),
    reason: words.reason(brand.name),
  };
}

type Facts = schema.MessageFacts;

/** The code or link of a message is forgotten once it has been used or has expired. */
function withoutForgotten(block: Block, { codeGone, linkGone }: PortalWords): Block {
  if (block.kind === 'code' && block.code === '') return textBlock(codeGone);
  if (block.kind === 'link' && block.href === '') return textBlock(linkGone);
  return block;
}
