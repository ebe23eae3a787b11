import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWorld, resetLab } from '@orchestrate/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#config.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { startPortal } from '#testing-api/index.ts';
import { WorldFileInvalid, withWorldFile } from './world-file.ts';

const FILE = join(import.meta.dirname, 'fixtures', 'mistakes.yaml');

let folder: string;
let portal: TestPortal;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orchestrate-world-'));
  portal = await testPortal({ seed: 'none' });
});
afterAll(async () => {
  await portal.close();
  rmSync(folder, { recursive: true });
});

/** Starts with a world file and returns the resulting error message, or '' if there is none. */
async function complaintAbout(name: string, text?: string | Buffer, settings = {}): Promise<string> {
  const file = text === undefined ? name : join(folder, name);
  if (text !== undefined) writeFileSync(file, text);
  try {
    await withWorldFile(readConfig({ SEED: file, ...settings }));
  } catch (reason) {
    if (reason instanceof WorldFileInvalid) return reason.message;
    throw reason;
  }
  return '';
}

test('reports every URL that must use HTTPS if others can reach the portal', async () => {
  const text = `organisations:
  - code: initech
    applications:
      - id: crm
        oidc:
          redirectUris:
            - http://localhost:8080/cb
            - http://crm.initech.test/cb
`;
  const file = join(folder, 'open.yaml');
  writeFileSync(file, text);
  await withWorldFile(readConfig({ SEED: file }));
  const start = withWorldFile(readConfig({ SEED: file, HOST: '0.0.0.0' }));
  await expect(start).rejects.toThrow('line 8  organisations.0.applications.0.oidc.redirectUris.1: Use https');
});

/** Line number of each error, with the message expected in the line's trailing comment. */
const expected = readFileSync(FILE, 'utf8')
  .split('\n')
  .flatMap((text, at) => {
    const [, sentence] = / # (.*)$/.exec(text) ?? [];
    return sentence === undefined ? [] : [{ line: at + 1, sentence }];
  });

test('accepts a weak RADIUS secret only if others cannot reach the portal', async () => {
  const vpn = { id: 'vpn', type: 'radius', radius: { secret: 'testing123' } };
  const text = JSON.stringify({ organisations: [{ code: 'initech', applications: [vpn] }] });
  expect(await complaintAbout('weak.json', text)).toBe('');
  expect(await complaintAbout('weak.json', text, { HOST: '0.0.0.0' })).toContain(
    'organisations.0.applications.0.radius.secret: This portal is open to other machines. Use at least 16 characters',
  );
});

test('lists more than 40 errors with their lines, paths and suggested names', async () => {
  const [title, ...lines] = (await complaintAbout(FILE)).split('\n');
  expect(expected.length).toBeGreaterThan(40);
  expect(title).toBe(`${FILE} has ${lines.length} errors. Nothing was imported.`);
  const found = lines.map((text) => {
    const [, line, path, sentence] = /^ {2}line +(\d+) {2}(\S+): (.*)$/.exec(text) ?? [];
    return { line: Number(line), path, sentence };
  });
  expect(found.map(({ line, sentence }) => `${line} ${sentence}`)).toEqual(
    expected.map(({ line, sentence }) =>
      sentence === '*' ? expect.stringMatching(`^${line} `) : `${line} ${sentence}`,
    ),
  );
  expect(found.find(({ line }) => line === 2)?.path).toBe('randomSed');
});

test('reports the same errors over HTTP as 400 with issues and imports nothing', async () => {
  const world = parse(readFileSync(FILE, 'utf8'));
  const { status, body } = await portal.call(resetLab, { body: { seed: world } });
  expect({ status, resultName: body.resultName, mistakes: body.issues?.length }).toEqual({
    status: 400,
    resultName: 'INVALID_REQUEST',
    mistakes: expected.length,
  });
  expect(body.issues).toContainEqual({
    path: 'seed.organisations.0.people.1.role',
    message: 'There is no role SUPERADMIN in initech. Did you mean SUPER_ADMIN?',
  });
  expect((await portal.call(readWorld, {})).body.world.organisations).toEqual([]);
});

describe.each(['123', '007', '1.10', '0x1F', '1e3', 'true', '.inf', 'null', 'Null', '~'])(
  'the YAML value %s',
  (value) => {
    const world = (name: string) => `organisations:\n  - code: initech\n    name: ${name}\n`;

    test('is rejected with a hint to add quotes', async () => {
      const complaint = await complaintAbout('unquoted.yaml', world(value));
      expect(complaint).toContain(
        /null|~/i.test(value)
          ? `line 3  organisations.0.name: This cannot be empty: provide a value or omit the field. In quotes, ${value} is a string`
          : 'line 3  organisations.0.name: This must be a string: put it in quotes',
      );
    });

    test('is accepted in quotes', async () => {
      expect(await complaintAbout('quoted.yaml', world(`"${value}"`))).toBe('');
    });
  },
);

test.each(['yes', 'no', 'on', '2026-01-02', '12:30', '1_000'])(
  'accepts %s as a string without quotes',
  async (value) => {
    expect(await complaintAbout('plain.yaml', `organisations:\n  - code: initech\n    name: ${value}\n`)).toBe('');
  },
);

test('reports a missing value as required and gives no quoting hint for lists', async () => {
  const complaint = await complaintAbout('nothing.yaml', 'organisations:\n  - code:\n    name: [7]\n    createdAt:\n');
  expect(complaint).toMatch(/code: This field is required$/m);
  expect(complaint).toMatch(/name: This must be a string$/m);
  expect(complaint).toMatch(/createdAt: This cannot be empty: provide a value or omit the field$/m);
  expect(await complaintAbout('null.yaml', 'organisations:\n  - code: null\n')).toMatch(
    /code: This field is required. In quotes, null is a string$/m,
  );
});

test('reports a duplicate field with its line and path, in YAML and JSON', async () => {
  const twice = 'line 3  organisations.0.code: code appears twice';
  expect(await complaintAbout('twice.yaml', 'organisations:\n  - code: a\n    code: b\n')).toContain(twice);
  expect(await complaintAbout('twice.json', '{"organisations": [\n  {"code": "a",\n   "code": "b"}\n]}')).toContain(
    twice,
  );
});

test('reports the line of invalid YAML and the name of a missing file', async () => {
  expect(await complaintAbout('broken.yaml', 'organisations: [\n')).toContain('line 2');
  expect(await complaintAbout('broken.json', '{\n  "organisations": [\n')).toContain('broken.json has');
  expect(await complaintAbout('list.yaml', '- code: a\n')).toContain('This must be an object');
  expect(await complaintAbout('two.yaml', 'organisations: []\n---\norganisations: []\n')).toContain(
    'a single document',
  );
  expect(await complaintAbout('tag.yaml', 'organisations:\n  - code: !initech a\n')).toMatch(/line 2 .*!initech/);
  const bomb = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (name, at, all) => `${name}: &${name} [${Array(9).fill(at ? `*${all[at - 1]}` : 'x')}]\n`,
  );
  expect(await complaintAbout('bomb.yaml', bomb.join(''))).toMatch(
    /line 1 +In YAML, a value that starts with \* is an alias/,
  );
  for (const nothing of ['', '\n\n', '# organisations:\n#   - code: initech\n', '---\n', 'null', '~']) {
    const complaint = await complaintAbout('empty.yaml', nothing);
    expect(complaint).toContain('empty.yaml has one error. Nothing was imported.');
    expect(complaint).toContain('line 1  This contains no world. The text is empty or has only comments');
  }
  expect(await complaintAbout('latin.yaml', Buffer.from('organisations: [] # \xe4', 'latin1'))).toContain('UTF-8');
  expect(await complaintAbout(join(folder, 'absent.yaml'))).toContain('absent.yaml');
});

test('starts a portal from a YAML or JSON world file and resets to that world', async () => {
  const json = JSON.stringify({ organisations: [{ code: 'initech', people: [{ email: 'peter@initech.test' }] }] });
  for (const name of ['world.json', 'world.yaml'] as const) {
    writeFileSync(join(folder, name), json);
    await using double = await startPortal({ seed: `${join(folder, name)}` as `${string}.yaml` });
    const initial = await double.call(readWorld, {});
    expect(initial.world.organisations).toMatchObject([{ code: 'initech', people: [{ email: 'peter@initech.test' }] }]);
    await double.person({ org: 'initech', email: 'samir@initech.test' });
    await double.reset();
    expect((await double.call(readWorld, {})).world).toEqual(initial.world);
  }
});

test('supports YAML anchors and merge keys', async () => {
  const file = join(folder, 'merged.yaml');
  const lines = [
    'organisations:',
    '  - &common { code: initech, name: Initech, people: [{ email: peter@initech.test }] }',
    '  - <<: *common',
    '    code: initrode',
    '    people: [{ email: milton@initrode.test }]',
  ];
  writeFileSync(file, lines.join('\n'));
  await using double = await startPortal({ seed: file as `${string}.yaml` });
  const { organisations = [] } = await double.world();
  expect(organisations.map(({ code, name, people = [] }) => [code, name, people[0]?.email])).toEqual([
    ['initech', 'Initech', 'peter@initech.test'],
    ['initrode', 'Initech', 'milton@initrode.test'],
  ]);
  expect(
    await complaintAbout('merged-badly.yaml', lines.join('\n').replace('code: initrode', 'cod: initrode')),
  ).toMatch(/line 4 .*Did you mean code\?/);
});
