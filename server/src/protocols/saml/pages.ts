import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { sendPage } from '../../http/send-json.ts';
import type { SamlProblem } from './saml-problem.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const html = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

const SUBMIT = 'document.forms[0].submit()';
const STYLE = 'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}';
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/** Nothing but our own script and style, each by its hash, and no frame around them. */
const POLICY = `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src ${hashOf(STYLE)}`;

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body>${body}</body></html>`;

export interface PostedForm {
  action: string;
  fields: Readonly<Record<string, string>>;
  /** Where the service provider sends the browser next: browsers hold a form to its policy through redirects. */
  next: readonly string[];
}

/** A form that posts itself to a service provider (SAML 2.0 bindings §3.5). */
export function sendPostedForm(deps: Deps, reply: FastifyReply, { action, fields, next }: PostedForm): FastifyReply {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${html(value)}">`,
  );
  const form = `<form method="post" action="${html(action)}">${inputs.join('')}<noscript><p>Your browser runs no scripts.</p><button>Continue</button></noscript></form>`;
  // An app of its own scheme has no origin, and needs none: only what a browser opens is held to the policy.
  const origins = next.filter((address) => /^https?:/i.test(address)).map((address) => new URL(address).origin);
  const targets = new Set([sourceOf(action), ...origins]);
  return sendPage(deps, reply, {
    text: page('Continue to the application', `${form}<script>${SUBMIT}</script>`),
    policy: `${POLICY}; script-src ${hashOf(SUBMIT)}; form-action ${[...targets].join(' ')}`,
  });
}

/** An address as a policy names it: without a query, and without the two signs that end a part of it (CSP 3 §2.3.1). */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}

/** What went wrong, in words for the person in front of it. */
export function sendProblem(deps: Deps, reply: FastifyReply, { message, httpStatus }: SamlProblem): FastifyReply {
  const body = `<h1>This did not work</h1><p>${html(message)}</p>`;
  return sendPage(deps, reply.code(httpStatus), {
    text: page('Sign-in', body),
    policy: `${POLICY}; form-action 'none'`,
  });
}

/** For a logout whose service provider wants no answer. */
export function sendSignedOut(deps: Deps, reply: FastifyReply): FastifyReply {
  const body = '<h1>You are signed out</h1><p>You can close this window.</p>';
  return sendPage(deps, reply, { text: page('Signed out', body), policy: `${POLICY}; form-action 'none'` });
}
