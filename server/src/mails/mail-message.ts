import type { memberRepo, organisationRepo, outboxRepo } from '@orchestrate/db';
import { escapeHtml } from './escape-html.ts';

export type OutgoingMail = Parameters<typeof outboxRepo.insertOutboxMessage>[1];

export interface MailContent {
  organisation: Pick<organisationRepo.OrganisationRow, 'orgCode' | 'name' | 'color'>;
  member: Pick<memberRepo.MemberRow, 'firstName' | 'primaryEmail'>;
  subject: string;
  /** One sentence or two each. */
  paragraphs: readonly string[];
  /** Shown large, between the first paragraph and the rest. */
  code?: string;
  now: number;
}

/** A mail to a member as a row of the outbox: the same words as plain text and as HTML. */
export function mailMessage(
  id: string,
  { organisation, member, subject, paragraphs, code, now }: MailContent,
): OutgoingMail {
  const [first = '', ...rest] = paragraphs;
  const blocks = [`Hello ${member.firstName},`, first, ...(code ? [code] : []), ...rest, organisation.name];
  const html = blocks.map((block) => (block === code ? codeBlock(block) : paragraph(block)));
  return {
    id,
    orgCode: organisation.orgCode,
    channel: 'mail',
    to: member.primaryEmail,
    // One line, whatever a device calls itself: more would be further headers (RFC 5322 §2.2).
    subject: subject.replace(/[\s\p{Cc}]+/gu, ' '),
    text: `${blocks.join('\n\n')}\n`,
    html: page(organisation, subject, html.join('\n')),
    code: code ?? null,
    createdAt: now,
  };
}

const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;

const codeBlock = (code: string) =>
  `<p style="margin:0 0 16px;font:600 28px/1.2 ui-monospace,monospace;letter-spacing:4px">${escapeHtml(code)}</p>`;

// Tables and inline styles: mail programs understand little else.
const page = ({ name, color }: MailContent['organisation'], subject: string, body: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f6f6f5;font:15px/1.5 system-ui,sans-serif;color:#1c1c1a">
<table role="presentation" width="100%" style="max-width:560px;margin:0 auto;border-collapse:collapse">
<tr><td style="padding:0 0 12px;font-weight:600;border-bottom:3px solid ${escapeHtml(color)}">${escapeHtml(name)}</td></tr>
<tr><td style="padding:24px;background:#ffffff">
${body}
</td></tr>
</table>
</body>
</html>
`;
