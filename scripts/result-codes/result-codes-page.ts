import { MAGIC_DOMAIN, MAGIC_VALUES, RESULT_NAMES, type ResultName, resultOf } from '@orchestrate/shared';
import type { ResultTest } from './find-tests.ts';

/** Why a result is not reached yet. */
export const NOT_REACHED: Partial<Record<ResultName, string>> = {
  RESERVED_93: 'reserved, never produced',
  RESERVED_94: 'reserved, never produced',
};

const magicRows = MAGIC_VALUES.map(({ names, answer: { resultName }, meaning }) => {
  const addresses = names.map((name) => `\`${name}@${MAGIC_DOMAIN}\``).join(', ');
  return `| ${[addresses, resultName ? `\`${resultName}\`` : '–', meaning].join(' | ')} |`;
});

/** docs/result-codes.md: every result with its meaning, its HTTP status, and a test that reaches it. */
export function resultCodesPage(tests: ReadonlyMap<ResultName, ResultTest>): string {
  const rows = RESULT_NAMES.map((name) => {
    const { code, status, sentence } = resultOf(name);
    const test = tests.get(name);
    const shown = NOT_REACHED[name] ?? (test ? `${test.file.replace('server/src/', '')} › ${test.title}` : '');
    return `| ${[code, `\`${name}\``, sentence, status, shown.replaceAll('|', '\\|')].join(' | ')} |`;
  });
  return `# Result codes

Every answer of \`/api\` carries a \`resultCode\`; a refusal also its constant as \`resultName\` and a sentence for people. The HTTP status is the
usual one: an endpoint may send a refusal under another, as every refused \`user/login\` under 400, a defect (7) under 500, and 76 at sign-up under 409. [SUPPORTED.md](../SUPPORTED.md#the-portals-api)
says which operation answers which result. Tests are those of the server, below \`server/src/\`. This page is written by \`pnpm generate\`.

| code | constant | meaning | HTTP | reached by |
|---|---|---|---|---|
${rows.join('\n')}

## Magic addresses

Type one of these wherever the portal asks for an email address (signing in on your device, signing up, inviting, editing a member, activating a
phone …): the call that carries it meets the result, and nothing else happens. It works wherever the lab is on, also for a client of your own, without
a call of the lab; \`GET /api/lab/magic\` answers the same table. \`expired+2@${MAGIC_DOMAIN}\` does what \`expired@${MAGIC_DOMAIN}\` does, and a name that is not
in the table is refused.

| address | constant | what the client meets |
|---|---|---|
${magicRows.join('\n')}
`;
}
