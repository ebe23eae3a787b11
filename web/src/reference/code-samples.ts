import type { Operation } from './operations.ts';

/** What is put into a request: the parts of its address, its body, and where the portal is. */
export interface RequestParts {
  origin: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** JSON; undefined where nothing is sent. */
  body: unknown;
}

export const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];

/** The address of a call below the origin, with its query. */
export function addressOf({ path }: Operation, { params, query }: RequestParts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return `/api${filled}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

/** The call in a language, ready to be pasted. A token is left to the reader. */
export function codeSample(language: Language, operation: Operation, parts: RequestParts): string {
  const url = `${parts.origin}${addressOf(operation, parts)}`;
  return WRITERS[language](operation, url, parts.body);
}

const WRITERS: Record<Language, (operation: Operation, url: string, body: unknown) => string> = {
  curl({ method, needs }, url, body) {
    const lines = [
      `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
      ...(needs === 'accessToken' ? ['-H "authorization: Bearer $TOKEN"'] : []),
      ...(body === undefined
        ? []
        : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
    ];
    return lines.join(' \\\n  ');
  },
  typescript({ method, needs }, url, body) {
    const headers = [
      ...(needs === 'accessToken' ? ['authorization: `Bearer ${token}`'] : []),
      ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
    ];
    const options = [
      ...(method === 'GET' ? [] : [`method: '${method}'`]),
      ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
      ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2))})`]),
    ];
    const given = options.length > 0 ? `, {\n  ${options.join(',\n  ')},\n}` : '';
    return `const response = await fetch('${url}'${given});\nconst answer = await response.json();\nif ('resultName' in answer) throw new Error(answer.resultName);`;
  },
  python({ method, needs }, url, body) {
    const headers = [
      ...(needs === 'accessToken' ? ['"authorization": f"Bearer {token}"'] : []),
      ...(body === undefined ? [] : ['"content-type": "application/json"']),
    ];
    const options = [
      JSON.stringify(url),
      ...(method === 'GET' ? [] : [`method="${method}"`]),
      ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
      ...(body === undefined ? [] : [`data=json.dumps(${python(body)}).encode()`]),
    ];
    return `import json\nfrom urllib.request import Request, urlopen\n\nrequest = Request(\n    ${options.join(',\n    ')},\n)\nwith urlopen(request) as response:\n    answer = json.load(response)\nassert "resultName" not in answer, answer["message"]`;
  },
};

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** A JSON value as Python writes it. */
function python(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}: ${python(part)}`)
    .join(', ')}}`;
}
