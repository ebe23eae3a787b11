import { parseSamlTemplate, renderSamlTemplate, samlTemplateProblem } from '@orchestrate/shared';
import { type Block, noteBlock, text } from './letter.ts';

/** An email's text, which organisations can customise. */
export interface MailText {
  subject: string;
  /**
   * Paragraphs separated by blank lines. `${code}` alone is displayed large, `[label](${link})` as a button, and `>
   * …` as small print. The greeting with the recipient's name is added automatically.
   */
  body: string;
}

/** Values of an email's variables. Each item of a list becomes a separate paragraph. */
export type MailValues = Readonly<Record<string, string | readonly string[]>>;

const LINK = /^\[([^[\]]+)\]\(\$\{link\}\)$/;
const LISTED = /^\$\{(\w+)\}$/;

const paragraphsOf = (body: string): string[] =>
  body
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');

function filled(template: string, values: MailValues): string {
  const parsed = parseSamlTemplate(template);
  if ('problem' in parsed) return template;
  return renderSamlTemplate(parsed.parts, (name) => {
    const value = values[name] ?? '';
    return typeof value === 'string' ? value : value.join(', ');
  });
}

/** Inserts values into the subject and paragraphs. A value can't become a paragraph, a link or small print. */
export function fillMail({ subject, body }: MailText, values: MailValues): { subject: string; blocks: Block[] } {
  return { subject: filled(subject, values), blocks: paragraphsOf(body).flatMap((each) => blocksOf(each, values)) };
}

function blocksOf(paragraph: string, values: MailValues): Block[] {
  const label = LINK.exec(paragraph)?.[1];
  if (label !== undefined) return [{ kind: 'link', label: filled(label, values), href: String(values.link ?? '') }];
  const [, alone = ''] = LISTED.exec(paragraph) ?? [];
  if (alone === 'code') return [{ kind: 'code', code: String(values.code ?? '') }];
  const listed = values[alone];
  if (listed !== undefined && typeof listed !== 'string') return listed.map(text);
  if (paragraph.startsWith('> ')) return [noteBlock(filled(paragraph.slice(2), values))];
  return [text(filled(paragraph, values))];
}

/** Returns an email text's errors, by field. @param variables allowed names; @param secret the required code or link */
export function mailTextIssues(
  { subject, body }: MailText,
  { variables, secret }: { variables: readonly string[]; secret: 'code' | 'link' | undefined },
): { path: 'subject' | 'body'; message: string }[] {
  const plain = variables.filter((name) => name !== secret);
  const wrongSubject = problemOf(subject, plain, secret);
  if (wrongSubject) return [{ path: 'subject', message: wrongSubject }];
  const paragraphs = paragraphsOf(body);
  const opening = paragraphs.filter((paragraph) => isOpening(paragraph, secret));
  if (secret === 'code' && opening.length !== 1) return [{ path: 'body', message: CODE_MISSING }];
  if (secret === 'link' && opening.length !== 1) return [{ path: 'body', message: LINK_MISSING }];
  const wrong = paragraphs
    .filter((paragraph) => !isOpening(paragraph, secret))
    .map((paragraph) => problemOf(paragraph, plain, secret))
    .find((problem) => problem !== undefined);
  return wrong ? [{ path: 'body', message: wrong }] : [];
}

const LINK_INSIDE = 'Put [your words](${link}) in its own paragraph';
const CODE_MISSING = 'Put ${code} in its own paragraph, exactly once';
const LINK_MISSING = 'Put [your words](${link}) in its own paragraph, exactly once';

const isOpening = (paragraph: string, secret: 'code' | 'link' | undefined): boolean =>
  secret === 'code' ? paragraph === '${code}' : secret === 'link' && LINK.test(paragraph);

function problemOf(template: string, variables: readonly string[], secret: string | undefined): string | undefined {
  const parsed = parseSamlTemplate(template);
  if (!('problem' in parsed) && secret !== undefined) {
    const isInside = parsed.parts.some((part) => 'field' in part && part.field === secret);
    if (isInside) return secret === 'code' ? CODE_MISSING : LINK_MISSING;
  }
  if (template.includes('](${link}') && !LINK.test(template)) return LINK_INSIDE;
  return samlTemplateProblem(template, variables)?.replace('is not a member field', 'is not a variable of this email');
}
