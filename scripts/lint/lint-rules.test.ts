import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const IMPORT_RULES = '(import rules)';
const RULE_10 = '(house rule 10)';

/** Forbidden imports as pairs of importing file and imported path. */
const FORBIDDEN = [
  ['shared/src/fields.ts', 'drizzle-orm'],
  ['shared/src/fields.ts', 'node:fs'],
  ['shared/src/fields.ts', '@noble/curves/nist.js'],
  ['shared/src/fields.ts', '../../db/src/open.ts'],
  ['shared/src/authenticator/sign.ts', '@orchestrate/server/testing'],
  ['shared/src/authenticator/sign.ts', 'node:crypto'],
  ['db/src/open.ts', 'fastify'],
  ['db/src/open.ts', 'drizzle-orm/better-sqlite3'],
  ['db/src/open.ts', '@orchestrate/server/main'],
  ['server/src/app.ts', '@orchestrate/web'],
  ['server/src/app.ts', '../../web/src/paths.ts'],
  ['web/src/lib/api/call.ts', '@orchestrate/server/testing'],
  ['web/src/lib/api/call.ts', '@orchestrate/db'],
  ['web/src/lib/api/call.ts', 'node:path'],
  ['web/src/features/authenticator/phone.tsx', '../../../../server/src/app.ts'],
  ['web/src/features/devices/devices-table.tsx', '../members/browse/member-card.tsx'],
  ['web/src/features/devices/parts/row.tsx', '../../members/browse/member-card.tsx'],
  ['server/src/features/devices/routes.ts', '../members/edit-member.ts'],
  ['server/src/features/devices/devices.test.ts', '../members/edit-member.ts'],
  ['server/src/features/devices/routes.ts', '#features/members/edit-member.ts'],
  ['web/src/features/devices/devices-table.tsx', '#features/members/browse/member-card.tsx'],
  ['web/src/lib/api/call.ts', '#ui/dialog/modal.tsx'],
  ['web/src/ui/dialog/modal.tsx', '#features/members/shared/member-choice.tsx'],
  ['server/src/core/members/account-status.ts', '#protocols/scim/users.ts'],
  ['server/src/platform/http/implement.ts', '#core/audit/record.ts'],
  ['server/src/features/members/routes.ts', '#lab/faults.ts'],
  ['server/src/features/members/routes.ts', '#process/recover.ts'],
  ['web/src/ui/copy-field.tsx', '../features/devices/use-devices.ts'],
  ['web/src/lib/format/full-name.ts', '../../ui/modal.tsx'],
  ['web/src/lib/api/call.ts', '../../layout/menu.ts'],
  ['web/src/ui/dialog/modal.tsx', '../layout/menu.ts'],
  ['web/src/ui/text/rich-text/link-editor.tsx', '../../../features/members/shared/member-choice.tsx'],
  ['web/src/features/members/shared/member-choice.tsx', '../layout/menu.ts'],
  ['server/src/core/sign-in/challenges/settle.ts', '../../../features/devices/change-device.ts'],
  ['server/src/platform/http/implement.ts', '../../core/audit/record.ts'],
  ['server/src/platform/http/implement.ts', '../../lab/routes.ts'],
  ['server/src/platform/adapters/fetch-outside.ts', '../http/implement.ts'],
  ['server/src/platform/http/answers/plain-page.ts', '../../mails/letter.ts'],
  ['server/src/platform/live/bus.ts', '../mails/letter.ts'],
  ['server/src/core/members/account-status.ts', '../../protocols/scim/users.ts'],
  ['server/src/core/audit/record.ts', '../sign-in/challenges/settle.ts'],
  ['server/src/core/sign-in/challenges/settle.ts', '../../members/account-status.ts'],
  ['server/src/core/sign-in/sessions.ts', '../members/account-status.ts'],
  ['server/src/core/device-keys/admit-device.ts', '../members/account-status.ts'],
  ['server/src/core/members/account-status.ts', '../saml-metadata/idp-keys.ts'],
  ['server/src/core/saml-metadata/idp-keys.ts', '../audit/record.ts'],
  ['server/src/protocols/scim/resources/users.ts', '../../saml/routes.ts'],
  ['server/src/protocols/scim/routes.ts', '../saml/routes.ts'],
  ['server/src/features/devices/routes.ts', '../../housekeeping.ts'],
  ['server/src/protocols/scim/resources/users.ts', '../../../features/members/routes.ts'],
  ['server/src/features/members/routes.ts', '../../lab/faults.ts'],
  ['server/src/lab/faults.ts', '../features/members/routes.ts'],
  ['server/src/lab/faults.ts', '../testing/test-portal.ts'],
] as const;

const ALLOWED = [
  ['shared/src/fields.ts', 'zod'],
  ['shared/src/world-text.ts', 'yaml'],
  ['shared/src/contract/devices/devices.ts', '../fields.ts'],
  ['shared/src/authenticator/sign.ts', '@noble/curves/nist.js'],
  ['db/src/open.ts', '#drizzle'],
  ['db/src/open.ts', 'node:fs'],
  ['server/src/features/devices/routes.ts', './change-device.ts'],
  ['server/src/features/devices/routes.ts', '#platform/http/implement.ts'],
  ['server/src/features/devices/routes.ts', '#core/sign-in/challenges/settle.ts'],
  ['server/src/features/devices/routes.ts', '#deps.ts'],
  ['server/src/features/devices/devices.test.ts', '#testing/test-portal.ts'],
  ['server/src/core/members/account-status.ts', '../sign-in/challenges/settle.ts'],
  ['server/src/core/members/account-status.ts', '#platform/refusal.ts'],
  ['server/src/platform/live/bus.ts', '../http/implement.ts'],
  ['server/src/app.ts', './features/devices/routes.ts'],
  ['web/src/features/devices/parts/row.tsx', '../use-devices.ts'],
  ['web/src/features/devices/parts/row.tsx', '#lib/api/call.ts'],
  ['web/src/features/devices/parts/row.tsx', '#features/members/shared/member-choice.tsx'],
  ['web/src/lib/api/call.ts', '@orchestrate/shared'],
  ['web/src/ui/dialog/modal.tsx', '#lib/time/use-now.ts'],
  ['web/src/features/members/shared/member-choice.tsx', '#ui/dialog/modal.tsx'],
  ['web/src/layout/modals.tsx', '../features/invite/invite-dialog.tsx'],
  ['web/src/lib/api/call.test.ts', '@orchestrate/server/testing'],
] as const;

const AMBIENT = ['Date.now()', 'new Date()', 'Math.random()', 'process.env.PORT'];

const sources = new Map<string, string>();

/** Adds a source file to the linted project under an unused name in its folder. Returns the file's path. */
function addSource(path: string, source: string): string {
  for (let copy = 0; ; copy++) {
    const free = copy === 0 ? path : join(dirname(path), `copy-${copy}-${basename(path)}`);
    if (sources.has(free)) continue;
    sources.set(free, source);
    return free;
  }
}

const importing = ([path, source]: readonly [string, string]) => ({
  path,
  source,
  file: addSource(path, `export { thing } from '${source}';\n`),
});

const forbidden = FORBIDDEN.map(importing);
const allowed = ALLOWED.map(importing);

const ambient = AMBIENT.map((expression) => {
  const source = `export const value = ${expression};\n`;
  return {
    expression,
    inside: addSource('server/src/core/sign-in/lifecycle.ts', source),
    edges: ['server/src/platform/adapters/clock.ts', 'server/src/app.test.ts'].map((path) => addSource(path, source)),
  };
});

const config = addSource('server/src/config.ts', 'export const port = process.env.PORT;\n');
const given = addSource('server/src/core/sign-in/given.ts', 'export const at = (epoch: number) => new Date(epoch);\n');
const doubleCast = addSource('web/src/app.tsx', 'export const text = (5 as unknown as string).length;\n');
const handless = addSource(
  'web/src/app.test.tsx',
  "import { fireEvent } from '@testing-library/react';\nfireEvent.click(document.body);\n",
);

let complaints: { message: string; location: { path: string } }[];

beforeAll(async () => {
  const project = await mkdtemp(join(tmpdir(), 'lint-rules-'));
  try {
    for (const path of ['biome.json', '.gitignore', 'scripts/lint']) {
      await cp(join(ROOT, path), join(project, path), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    for (const [path, source] of sources) {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), source);
    }
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project }).catch(
      (refusal: { stdout: string }) => refusal,
    );
    complaints = JSON.parse(stdout).diagnostics;
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});

const isRefused = (file: string, reason: string) =>
  complaints.some(({ message, location }) => location.path === file && message.includes(reason));

// covers: security 1.2.4
test.each(forbidden)('forbids importing $source in $path', ({ file }) => {
  expect(isRefused(file, IMPORT_RULES)).toBe(true);
});

test.each(allowed)('allows importing $source in $path', ({ file }) => {
  expect(isRefused(file, IMPORT_RULES)).toBe(false);
});

test.each(ambient)('allows $expression only in adapters and tests', ({ inside, edges }) => {
  expect(isRefused(inside, RULE_10)).toBe(true);
  for (const edge of edges) expect(isRefused(edge, RULE_10)).toBe(false);
});

test('allows reading the environment in config.ts', () => {
  expect(isRefused(config, RULE_10)).toBe(false);
});

test('allows creating a Date from a given time', () => {
  expect(isRefused(given, RULE_10)).toBe(false);
});

test('rejects a double cast', () => {
  expect(isRefused(doubleCast, 'A double cast')).toBe(true);
});

test('rejects tests that fire events instead of simulating a user', () => {
  expect(isRefused(handless, 'act as a person does')).toBe(true);
});
