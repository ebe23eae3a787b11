import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { codeSample } from './code-samples.ts';
import type { Operation } from './operations.ts';

const operation: Operation = {
  id: 'write',
  method: 'PUT',
  path: '/orgs/{orgCode}/apps',
  area: 'Applications',
  summary: '',
  who: '',
  needs: 'accessToken',
  parameters: [],
  body: undefined,
  responses: {},
  results: [],
};
const parts = {
  origin: 'http://localhost:3000',
  hasLabToken: false,
  params: { orgCode: 'a b' },
  query: { q: "it's", empty: '' },
  body: { name: "it's", isOn: true, nothing: null, list: [1, 'two'] },
};

test('escapes quotes for the shell', () => {
  const sample = codeSample('curl', operation, parts);
  // Runs the sample with a fake `curl` that prints the arguments it gets from the shell.
  const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${sample}`], {
    env: { TOKEN: 't' },
  }).toString();
  expect(shown).toContain('http://localhost:3000/api/orgs/a%20b/apps?q=it%27s\n');
  expect(shown).toContain('authorization: Bearer t\n');
  expect(shown).toContain('"name": "it\'s"');
});

test('writes JSON literals for Python', () => {
  expect(codeSample('python', operation, parts)).toContain(
    '{"name": "it\'s", "isOn": True, "nothing": None, "list": [1, "two"]}',
  );
});

test('detects a refusal by its result name in TypeScript', () => {
  const sample = codeSample(
    'typescript',
    { ...operation, needs: 'nothing', method: 'GET' },
    { ...parts, body: undefined },
  );
  expect(sample).toBe(
    [
      "const response = await fetch('http://localhost:3000/api/orgs/a%20b/apps?q=it%27s');",
      'const answer = await response.json();',
      "if ('resultName' in answer) throw new Error(answer.resultName);",
    ].join('\n'),
  );
});

const upload: Operation = {
  ...operation,
  body: {
    type: 'multipart/form-data',
    isRequired: true,
    schema: {
      properties: { type: { type: 'string' }, file: { contentMediaType: 'application/octet-stream' } },
    },
    example: { type: 'mobile', file: 'people.csv' },
  },
};

test('sends a form with its fields and file in every language', () => {
  const sent = { ...parts, query: {}, body: undefined };
  expect(codeSample('curl', upload, sent)).toContain("-F 'type=mobile' \\\n  -F 'file=@people.csv'");
  expect(codeSample('typescript', upload, sent)).toContain(
    [
      "import { openAsBlob } from 'node:fs';",
      '',
      'const form = new FormData();',
      'form.set(\'type\', "mobile");',
      'form.set(\'file\', await openAsBlob("people.csv"), "people.csv");',
    ].join('\n'),
  );
  expect(codeSample('typescript', upload, sent)).toContain('body: form,');
  const python = codeSample('python', upload, sent);
  expect(python).toContain('name="file"; filename="people.csv"');
  expect(python).toContain('data=b"".join(parts),');
});

test('reads a document response as text', () => {
  const download: Operation = {
    ...operation,
    method: 'GET',
    responses: { 200: { description: '', content: { 'text/csv': { schema: { type: 'string' } } } } },
  };
  const request = { ...parts, body: undefined };
  expect(codeSample('typescript', download, request)).toContain('const answer = await response.text();');
  expect(codeSample('python', download, request)).toContain('answer = response.read().decode()');
  expect(codeSample('python', download, request)).not.toContain('json');
});

test('reads the URL of a redirect', () => {
  const begin: Operation = { ...operation, method: 'GET', responses: { 302: { description: '' } } };
  const request = { ...parts, body: undefined };
  expect(codeSample('curl', begin, request)).toMatch(/^curl -i '/);
  expect(codeSample('typescript', begin, request)).toContain('const answer = response.url;');
  expect(codeSample('python', begin, request)).toContain('    answer = response.url');
  const alsoJson = { ...begin, results: [{ status: '200', code: 0, name: 'SUCCESS', sentence: '' }] };
  expect(codeSample('typescript', alsoJson, request)).toContain('const answer = await response.json();');
});

test('adds the lab token if the lab requires one', () => {
  const control: Operation = { ...operation, needs: 'labToken' };
  const closed = { ...parts, hasLabToken: true };
  expect(codeSample('curl', control, closed)).toContain('-H "authorization: Bearer $LAB_TOKEN"');
  expect(codeSample('typescript', control, closed)).toContain('authorization: `Bearer ${labToken}`');
  expect(codeSample('python', control, closed)).toContain('"authorization": f"Bearer {lab_token}"');
  expect(codeSample('curl', control, parts)).not.toContain('authorization');
});
