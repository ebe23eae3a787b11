import type { ChannelDefinition, EndpointDefinition } from '@orchestrate/shared';
import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { escapeHtml } from '../../platform/http/answers/escape-html.ts';
import { areasOf } from './areas.ts';
import { describeAccess, describeChannelAccess } from './describe-access.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { resultsOf } from './results-of.ts';

/** The API reference as one page without scripts, generated from what is registered. */
export function referencePage({ endpoints, channels }: Deps['registered']): string {
  const areas = areasOf(endpoints);
  const links = [...areas, ...(channels.length > 0 ? ['Live channels'] : [])];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Orchestrate</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Orchestrate API</h1>
<p>Every answer under <code>/api</code> is a flat JSON object with <code>resultCode</code>: 0 is success. A refusal adds
<code>resultName</code>, <code>message</code> and <code>requestId</code>. Made from the contract that routes and client share;
for tools: <a href="/docs/openapi.json">openapi.json</a>.</p>
<nav>${links.map((name) => `<a href="#${anchor(name)}">${escapeHtml(name)}</a>`).join('')}</nav>
</header>
<main>
${areas.map((area) => section(area, endpoints.filter((entry) => entry.area === area).map(endpoint))).join('\n')}
${channels.length > 0 ? section('Live channels', channels.map(channel)) : ''}
</main>
</body>
</html>
`;
}

const section = (name: string, articles: readonly string[]): string =>
  `<section id="${anchor(name)}"><h2>${escapeHtml(name)}</h2>${articles.join('\n')}</section>`;

function endpoint(entry: EndpointDefinition): string {
  return `<details><summary><b class="${entry.method}">${entry.method}</b><code>/api${escapeHtml(entry.path)}</code>
<span>${worded(entry.summary)}</span></summary>
<p><strong>Who</strong> ${escapeHtml(describeAccess(entry.access))}</p>
${schema('Path', entry.params, 'input')}${schema('Query', entry.query, 'input')}${schema('Body', entry.body, 'input')}
${schema('Reply', entry.reply, 'output')}${document(entry)}
<h3>Results</h3>
<table><tr><th>HTTP</th><th>Code</th><th>Name</th><th>Meaning</th></tr>${resultsOf(entry)
    .map(({ status, code, name, sentence }) => row([status, code, name, sentence]))
    .join('')}</table></details>`;
}

const document = ({ document: type }: EndpointDefinition): string =>
  type ? `<h3>Reply</h3><p>A document of type <code>${escapeHtml(type)}</code>.</p>` : '';

function channel({ path, summary, access, query, server, client }: ChannelDefinition): string {
  return `<details><summary><b class="WS">WS</b><code>${escapeHtml(path)}</code><span>${worded(summary)}</span></summary>
<p><strong>Who</strong> ${escapeHtml(describeChannelAccess(access))}</p>
${schema('Query', query, 'input')}${schema('To the client', server, 'output')}${schema('From the client', client, 'input')}
</details>`;
}

function schema(name: string, value: z.ZodType | undefined, io: 'input' | 'output'): string {
  const json = value && jsonSchemaOf(value, io);
  const isEmpty = !json || (json.type === 'object' && Object.keys(json.properties ?? {}).length === 0);
  return isEmpty ? '' : `<h3>${name}</h3><pre>${escapeHtml(JSON.stringify(json, null, 2))}</pre>`;
}

/** Text `like this` in the contract's sentences is code. */
const worded = (sentence: string): string => escapeHtml(sentence).replace(/`([^`]+)`/g, '<code>$1</code>');

const row = (cells: readonly (string | number)[]): string =>
  `<tr>${cells.map((cell) => `<td>${escapeHtml(String(cell))}</td>`).join('')}</tr>`;

const anchor = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#e4e4e7,#2e2e33);--soft:light-dark(#f4f4f5,#1b1b1f);--quiet:light-dark(#52525b,#a1a1aa)}
*{box-sizing:border-box}
body{margin:0;font:14px/1.5 Inter,system-ui,sans-serif;background:light-dark(#fafafa,#111113);color:light-dark(#18181b,#f4f4f5)}
header,main{max-width:960px;margin:0 auto;padding:24px}
main{padding-top:0}
h1{font-size:24px;margin:0 0 8px}
h2{font-size:20px;margin:32px 0 12px}
h3{font-size:13px;margin:16px 0 4px;color:var(--quiet)}
p{margin:8px 0;max-width:72ch}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin-top:16px}
a{color:inherit}
code,pre,b{font-family:'JetBrains Mono',ui-monospace,monospace;font-size:13px}
details{border:1px solid var(--line);border-radius:12px;margin:8px 0;padding:0 16px;background:light-dark(#fff,#161619)}
details[open]{padding-bottom:16px}
summary{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;padding:12px 0;cursor:pointer}
summary>code{min-width:280px}
summary span{color:var(--quiet);flex:1 1 320px}
summary b{min-width:52px}
.GET,.WS{color:light-dark(#1d4ed8,#93c5fd)}.POST,.PUT{color:light-dark(#15803d,#86efac)}.DELETE{color:light-dark(#b91c1c,#fca5a5)}
pre{background:var(--soft);border-radius:8px;padding:12px;margin:0;overflow:auto;max-height:360px}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--quiet);font-weight:500}
`;
