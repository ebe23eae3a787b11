import { escapeHtml } from '../http/answers/escape-html.ts';
import type { Block, Brand, Letter } from './letter.ts';
import { readableOn, soundColour } from './readable-on.ts';

/**
 * A letter as HTML in the organisation's brand. Uses tables and inline styles because mail programs understand little
 * else; the style sheet adds dark mode where it is supported, and is not needed elsewhere.
 */
export function letterHtml({ name, color }: Brand, { language, subject, greeting, blocks, reason }: Letter): string {
  const brand = soundColour(color);
  const ink = readableOn(brand);
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

/** A button, and the plain address for programs that show no buttons. */
function linkHtml({ label, href }: Block & { kind: 'link' }, brand: string, ink: string): string {
  const address = escapeHtml(href);
  return `<p style="margin:0 0 16px"><a href="${address}" style="display:inline-block;padding:12px 24px;border:1px solid #8a8a82;border-radius:8px;background:${brand};color:${ink};font:600 16px/1.3 ${SANS};text-decoration:none">${escapeHtml(label)}</a></p>
<p class="soft" style="margin:0 0 16px;color:#5a5a54;font:13px/1.5 ${SANS};word-break:break-all">${address}</p>`;
}

const initialOf = (name: string): string => [...name.trim().toUpperCase()][0] ?? '•';
