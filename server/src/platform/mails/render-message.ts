import type { outboxRepo, schema } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';
import { escapeHtml } from '../http/answers/plain-page.ts';
import { type Block, type Brand, type Letter, text as textBlock } from './letter.ts';
import { fillMail, type MailText } from './mail-text.ts';
import { commonValues, MAIL_KINDS, PORTAL_WORDS, valueFormats } from './templates.ts';
import type { MessageName, PortalWords } from './words/portal-words.ts';

/** Brand colour used if the organisation's colour is invalid. */
const FALLBACK = '#facc15';

/** Returns the colour as `#rrggbb`, or the fallback if it is invalid. */
const soundColour = (colour: string): string => (/^#[0-9a-f]{6}$/i.test(colour) ? colour : FALLBACK);

/** Returns black or white, whichever has a contrast of at least 4.5:1 on `colour` (`#rrggbb`; WCAG 2.2 §1.4.3). */
export function textColorOn(colour: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(colour);
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff';
}

/** Returns a colour's relative luminance (WCAG 2.2). */
export function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

/**
 * Renders an email as HTML with the organisation's brand. Uses tables and inline styles, which all email clients
 * support; the style sheet only adds dark mode.
 */
function letterHtml({ name, color }: Brand, { language, subject, greeting, blocks, reason }: Letter): string {
  const brand = soundColour(color);
  const ink = textColorOn(brand);
  const logo = `display:inline-block;width:36px;height:36px;border-radius:8px;background:${brand};color:${ink};font:700 18px/36px ${SANS};text-align:center`;
  const parts = [paragraph(greeting), ...blocks.map((block) => htmlOf(block, brand, ink))];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f4f2">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f4f2">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td style="padding:0 0 16px"><table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="padding:0 12px 0 0"><span aria-hidden="true" style="${logo}">${escapeHtml(initialOf(name))}</span></td>
<td class="ink" style="color:#1c1c1a;font:600 17px/1.3 ${SANS}">${escapeHtml(name)}</td>
</tr></table></td></tr>
<tr><td class="card" style="padding:28px 28px 12px;background:#ffffff;border:1px solid #e2e2dd;border-radius:12px">
${parts.join('\n')}
</td></tr>
<tr><td class="soft" style="padding:16px 4px 0;color:#5a5a54;font:13px/1.5 ${SANS}">${escapeHtml(reason)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const SANS = "'Segoe UI',system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif";
const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';

const DARK = `@media (prefers-color-scheme: dark) {
.page { background: #121211 !important }
.card { background: #1d1d1b !important; border-color: #3a3a36 !important }
.ink { color: #f1f1ee !important }
.soft { color: #b4b4ad !important }
.code { background: #2b2b28 !important; color: #ffffff !important }
}`;

function htmlOf(block: Block, brand: string, ink: string): string {
  switch (block.kind) {
    case 'text':
      return paragraph(block.text);
    case 'note':
      return `<p class="soft" style="margin:0 0 16px;color:#5a5a54;font:13px/1.5 ${SANS}">${escapeHtml(block.text)}</p>`;
    case 'code':
      return `<p class="code" style="margin:0 0 20px;padding:14px 8px;border-radius:8px;background:#f1f1ee;color:#1c1c1a;font:600 30px/1.2 ${MONO};letter-spacing:6px;text-align:center">${escapeHtml(block.code)}</p>`;
    case 'link':
      return linkHtml(block, brand, ink);
  }
}

const paragraph = (words: string) =>
  `<p class="ink" style="margin:0 0 16px;color:#1c1c1a;font:16px/1.5 ${SANS}">${escapeHtml(words)}</p>`;

/** Renders a button, followed by the plain URL for email clients that don't display buttons. */
function linkHtml({ label, href }: Block & { kind: 'link' }, brand: string, ink: string): string {
  const address = escapeHtml(href);
  return `<p style="margin:0 0 16px"><a href="${address}" style="display:inline-block;padding:12px 24px;border:1px solid #8a8a82;border-radius:8px;background:${brand};color:${ink};font:600 16px/1.3 ${SANS};text-decoration:none">${escapeHtml(label)}</a></p>
<p class="soft" style="margin:0 0 16px;color:#5a5a54;font:13px/1.5 ${SANS};word-break:break-all">${address}</p>`;
}

const initialOf = (name: string): string => [...name.trim().toUpperCase()][0] ?? '•';

function letterText({ name }: Brand, { greeting, blocks }: Letter): string {
  return `${[greeting, ...blocks.map(textOf), name].join('\n\n')}\n`;
}

function textOf(block: Block): string {
  if (block.kind === 'code') return block.code;
  return block.kind === 'link' ? `${block.label}:\n${block.href}` : block.text;
}

/** A rendered message. Text messages have neither subject nor HTML. */
export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
}

type Written = Pick<outboxRepo.OutboxRow, 'template' | 'facts' | 'language'>;

/**
 * Renders an outbox row in its language and with its organisation's brand.
 * @param own the organisation's custom text in that language, if any
 */
export function renderMessage(
  brand: Brand,
  { channel, ...written }: Written & Pick<outboxRepo.OutboxRow, 'channel'>,
  own?: MailText,
): RenderedMessage {
  const letter = letterOf(brand, written, own);
  const text = letterText(brand, letter);
  if (channel === 'text') return { subject: '', text, html: '' };
  // Keep the subject on one line: line breaks, e.g. in a device name, would add headers (RFC 5322 §2.2).
  const subject = letter.subject.replace(/[\s\p{Cc}]+/gu, ' ');
  return { subject, text, html: letterHtml(brand, { ...letter, subject }) };
}

function letterOf(brand: Brand, { template, facts, language }: Written, own: MailText | undefined): Letter {
  if (template !== 'tried') return worded(brand, { name: template, facts: facts as Facts[MessageName], language, own });
  const tried = facts as Facts['tried'];
  const sample = { ...MAIL_KINDS[tried.of].sampleAt(tried.at, PORTAL_WORDS[language]), firstName: tried.firstName };
  return worded(brand, { name: tried.of, facts: sample, language, own: tried });
}

interface Wording<Name extends MessageName> {
  name: Name;
  facts: Facts[Name];
  language: Language;
  own: MailText | undefined;
}

function worded<Name extends MessageName>(brand: Brand, { name, facts, language, own }: Wording<Name>): Letter {
  const formats = valueFormats(language);
  const { words } = formats;
  const values = { ...commonValues(brand, facts), ...MAIL_KINDS[name].valuesOf(facts, formats) };
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

/** Replaces a code or link that was deleted after use or expiry with a notice. */
function withoutForgotten(block: Block, { codeGone, linkGone }: PortalWords): Block {
  if (block.kind === 'code' && block.code === '') return textBlock(codeGone);
  if (block.kind === 'link' && block.href === '') return textBlock(linkGone);
  return block;
}
