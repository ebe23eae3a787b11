import { createHash } from 'node:crypto';
import type { Language } from '@orchestrate/shared';
import { toGerman } from '../../words/translate.ts';

const STYLE = `body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f4f4f2;color:#1c1c1a;font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:min(28rem,calc(100vw - 2rem));padding:2rem;background:#fff;border:1px solid #e2e2dd;border-radius:12px}
h1{margin:0 0 .75rem;font-size:1.35rem;line-height:1.3}
p{margin:0 0 1rem}
main>:last-child{margin-bottom:0}
code{font-size:.875rem;color:#5a5a54;overflow-wrap:anywhere}
label{display:block;margin:0 0 .35rem}
input{box-sizing:border-box;width:100%;margin:0 0 .5rem;padding:.6rem .8rem;border:1px solid #8a8a82;border-radius:8px;background:#fff;color:inherit;font:1.25rem/1.4 ui-monospace,monospace;letter-spacing:.1em;text-transform:uppercase}
.code{font:600 1.75rem/1.4 ui-monospace,monospace;letter-spacing:.1em}
.problem{color:#a3231b}
button{margin:.5rem .5rem 0 0;padding:.6rem 1.1rem;border:1px solid #1c1c1a;border-radius:8px;background:#1c1c1a;color:#fff;font:inherit;cursor:pointer}
button.plain{background:transparent;color:inherit}
@media(prefers-color-scheme:dark){body{background:#161614;color:#ececea}main{background:#20201e;border-color:#3a3a36}code{color:#b5b5ae}input{background:#161614}.problem{color:#ff9c92}button{background:#ececea;color:#161614;border-color:#ececea}}`;

/** Script that submits the first form on a page. */
export const SUBMIT_SCRIPT = 'document.forms[0].submit()';

/** Returns the CSP source expression for inline content (CSP 3 §2.3.1). */
const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Content Security Policy that allows only this style sheet and `SUBMIT_SCRIPT`, and no framing. Each page adds its
 * form target.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(STYLE)}`,
  `script-src ${sourceOf(SUBMIT_SCRIPT)}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';');

/** Renders a page in the user's language. */
export type Page = (language: Language) => string;

/** Translates one of the portal's sentences. Values inside the sentence must already be escaped. */
export type Translate = (sentence: string) => string;

/** Creates a simple page without the client. @param write returns the title as text and the body as HTML */
export const createPage =
  (write: (t: Translate) => { title: string; body: string }): Page =>
  (language) => {
    const { title, body } = write(language === 'de' ? toGerman : (sentence) => sentence);
    return renderPage(language, title, body);
  };

const renderPage = (language: Language, title: string, body: string): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>
`;

/** Returns the HTML message for a member who doesn't have access to an application. */
export const noAccessHtml = (t: Translate, application: string, email: string): string =>
  `<p>${t(`You're signed in as ${escapeHtml(email)}, but you don't have access to ${escapeHtml(application)}. If you need access, ask your organisation's administrators.`)}</p>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for use in HTML content or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
