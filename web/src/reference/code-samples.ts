import type { Operation } from './operations.ts';

/** A request's input: parameters, query and body, with the portal's origin. */
export interface RequestInput {
  origin: string;
  /** True if a lab token is stored in this browser, which means that the lab requires it. */
  hasLabToken: boolean;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** JSON value; undefined if the request has no body. */
  body: unknown;
}

export const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];

/** Returns a request's path with its query string. */
export function addressOf({ path }: Operation, { params, query }: Pick<RequestInput, 'params' | 'query'>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return `/api${filled}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

/** Returns sample code for a request, ready to paste, with a placeholder for the token. */
export function codeSample(language: Language, operation: Operation, parts: RequestInput): string {
  const url = `${parts.origin}${addressOf(operation, parts)}`;
  return WRITERS[language](operation, url, { body: parts.body, token: tokenOf(operation, parts) });
}

function tokenOf({ needs }: Operation, { hasLabToken }: RequestInput): keyof typeof TOKENS | undefined {
  if (needs === 'accessToken') return needs;
  return needs === 'labToken' && hasLabToken ? needs : undefined;
}

/** Token placeholders by language. */
const TOKENS = {
  accessToken: { curl: 'TOKEN', typescript: 'token', python: 'token' },
  labToken: { curl: 'LAB_TOKEN', typescript: 'labToken', python: 'lab_token' },
} as const;

/**
 * Returns the form fields of the example request, with file names as values for files, or undefined if the request
 * has no form.
 */
function formOf({ body }: Operation): { name: string; value: string; isFile: boolean }[] | undefined {
  if (body?.type !== 'multipart/form-data') return undefined;
  return Object.entries(body.example ?? {}).map(([name, value]) => ({
    name,
    value: String(value),
    isFile: body.schema.properties?.[name]?.contentMediaType !== undefined,
  }));
}

/** Returns what a response contains: JSON, a document such as CSV, or a redirect's address. */
function kindOfAnswer({ responses, results }: Operation): 'json' | 'document' | 'address' {
  if (responses[302] && !results.some(({ name }) => name === 'SUCCESS')) return 'address';
  const [type] = Object.keys(responses[200]?.content ?? {});
  return type !== undefined && type !== 'application/json' ? 'document' : 'json';
}

interface Sent {
  body: unknown;
  token: keyof typeof TOKENS | undefined;
}

const WRITERS: Record<Language, (operation: Operation, url: string, sent: Sent) => string> = {
  curl(operation, url, { body, token }) {
    const { method } = operation;
    const showsHeaders = kindOfAnswer(operation) === 'address' ? ' -i' : '';
    const lines = [
      `curl${showsHeaders}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
      ...(token ? [`-H "authorization: Bearer $${TOKENS[token].curl}"`] : []),
      ...(formOf(operation) ?? []).map(
        ({ name, value, isFile }) => `-F ${quoted(`${name}=${isFile ? '@' : ''}${value}`)}`,
      ),
      ...(body === undefined
        ? []
        : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
    ];
    return lines.join(' \\\n  ');
  },
  typescript(operation, url, { body, token }) {
    const { method } = operation;
    const form = formOf(operation);
    const headers = [
      ...(token ? [`authorization: \`Bearer \${${TOKENS[token].typescript}}\``] : []),
      ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
    ];
    const options = [
      ...(method === 'GET' ? [] : [`method: '${method}'`]),
      ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
      ...(form ? ['body: form'] : []),
      ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2))})`]),
    ];
    const given = options.length > 0 ? `, {\n  ${options.join(',\n  ')},\n}` : '';
    return [
      ...(form ? typescriptForm(form) : []),
      `const response = await fetch('${url}'${given});`,
      ...{
        json: [
          'const answer = await response.json();',
          "if ('resultName' in answer) throw new Error(answer.resultName);",
        ],
        document: [
          'if (!response.ok) throw new Error((await response.json()).resultName);',
          'const answer = await response.text();',
        ],
        address: [
          'if (!response.redirected) throw new Error((await response.json()).resultName);',
          'const answer = response.url;',
        ],
      }[kindOfAnswer(operation)],
    ].join('\n');
  },
  python(operation, url, { body, token }) {
    const { method } = operation;
    const form = formOf(operation);
    const headers = [
      ...(token ? [`"authorization": f"Bearer {${TOKENS[token].python}}"`] : []),
      ...(form ? ['"content-type": f"multipart/form-data; boundary={boundary}"'] : []),
      ...(body === undefined ? [] : ['"content-type": "application/json"']),
    ];
    const options = [
      JSON.stringify(url),
      ...(method === 'GET' ? [] : [`method="${method}"`]),
      ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
      ...(form ? ['data=b"".join(parts)'] : []),
      ...(body === undefined ? [] : [`data=json.dumps(${python(body)}).encode()`]),
    ];
    const kind = kindOfAnswer(operation);
    return [
      ...(kind === 'document' && body === undefined ? [] : ['import json']),
      'from urllib.request import Request, urlopen',
      ...(form ? ['from uuid import uuid4'] : []),
      '',
      ...(form ? pythonForm(form) : []),
      'request = Request(',
      ...options.map((option) => `    ${option},`),
      ')',
      'with urlopen(request) as response:',
      ...{
        json: ['    answer = json.load(response)', 'assert "resultName" not in answer, answer["message"]'],
        document: ['    answer = response.read().decode()'],
        address: [
          '    assert response.url != request.full_url, json.load(response)["message"]',
          '    answer = response.url',
        ],
      }[kind],
    ].join('\n');
  },
};

type Form = NonNullable<ReturnType<typeof formOf>>;

function typescriptForm(form: Form): string[] {
  const isWithFile = form.some(({ isFile }) => isFile);
  return [
    ...(isWithFile ? ["import { openAsBlob } from 'node:fs';", ''] : []),
    'const form = new FormData();',
    ...form.map(({ name, value, isFile }) => {
      const text = JSON.stringify(value);
      return `form.set('${name}', ${isFile ? `await openAsBlob(${text}), ${text}` : text});`;
    }),
  ];
}

/** Returns code that encodes the form manually, because Python's standard library can't encode multipart forms. */
function pythonForm(form: Form): string[] {
  return [
    'boundary = uuid4().hex',
    'parts = [',
    ...form.flatMap(({ name, value, isFile }) => {
      const file = isFile ? `; filename="${value}"` : '';
      return [
        `    f'--{boundary}\\r\\ncontent-disposition: form-data; name="${name}"${file}\\r\\n\\r\\n'.encode(),`,
        `    ${isFile ? `open(${JSON.stringify(value)}, "rb").read()` : `${JSON.stringify(value)}.encode()`},`,
        '    b"\\r\\n",',
      ];
    }),
    '    f"--{boundary}--\\r\\n".encode(),',
    ']',
  ];
}

/** Quotes a string for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** Returns a JSON value as a Python literal. */
function python(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}: ${python(part)}`)
    .join(', ')}}`;
}
