import * as contract from '@orchestrate/shared';
import {
  COMMON_REFUSALS,
  type EndpointDefinition,
  MAGIC_DOMAIN,
  MAGIC_VALUES,
  RESULT_NAMES,
  type ResultName,
  resultOf,
} from '@orchestrate/shared';
import type { ResultTest } from './find-tests.ts';

const isEndpoint = (value: unknown): value is EndpointDefinition =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;

const endpoints = Object.values<unknown>(contract).filter(isEndpoint);

/** Results that travel on channels, by number. */
const LIVE: Partial<Record<ResultName, string>> = {
  EXPIRED: '/ws/login, /ws/add-device, /ws/test-device, /ws/verbal',
  LOGIN_INIT: '/ws/login',
  LOGIN_PENDING: '/ws/login',
  LOGIN_REJECTED: '/ws/login',
  LOGIN_SUCCESS: '/ws/login',
  LOGIN_NO_CONSENT: '/ws/verbal',
  TEST_DEVICE_SUCCESS: '/ws/test-device',
  INVALID_VALIDATION_CODE: '/ws/add-device',
  ADD_DEVICE_NO_CONSENT: '/ws/add-device',
  VCODE_NOT_FOUND: '/ws/add-device',
  DEVICE_ADD_LIMIT_REACHED: '/ws/add-device',
};

function producedBy(name: ResultName): string {
  if (name === 'SUCCESS') return 'every call';
  const callers = endpoints
    .filter(({ news, refuses }) => news?.includes(name) || refuses?.includes(name))
    .map(({ method, path }) => `${method} ${path.slice(1)}`)
    .toSorted();
  const live = LIVE[name];
  const common = COMMON_REFUSALS.includes(name) ? ['every call that it can concern'] : [];
  return [...common, ...callers, ...(live ? [live] : [])].join(' · ') || '–';
}

/** Why a result is not reached yet. */
export const NOT_REACHED: Partial<Record<ResultName, string>> = {
  RESERVED_93: 'reserved, never produced',
  RESERVED_94: 'reserved, never produced',
};

const magicRows = MAGIC_VALUES.map(({ names, answer: { resultName }, meaning }) => {
  const addresses = names.map((name) => `\`${name}@${MAGIC_DOMAIN}\``).join(', ');
  return `| ${[addresses, resultName ? `\`${resultName}\`` : '–', meaning].join(' | ')} |`;
});

/** docs/result-codes.md: every result with its meaning, its HTTP status, who answers it, and a test that reaches it. */
export function resultCodesPage(tests: ReadonlyMap<ResultName, ResultTest>): string {
  const rows = RESULT_NAMES.map((name) => {
    const { code, status, sentence } = resultOf(name);
    const test = tests.get(name);
    const shown = NOT_REACHED[name] ?? (test ? `${test.file.replace('server/src/', '')} › ${test.title}` : '');
    return `| ${[code, `\`${name}\``, sentence, status, producedBy(name), shown.replaceAll('|', '\\|')].join(' | ')} |`;
  });
  return `# Result codes

Every answer of \`/api\` carries a \`resultCode\`; a refusal also its constant as \`resultName\` and a sentence for people. The HTTP status is the
usual one: an endpoint may send a refusal under another, as every refused \`user/login\` under 400. Tests are those of the server, below
\`server/src/\`. This page is written by \`pnpm result-codes\`.

| code | constant | meaning | HTTP | answered by | reached by |
|---|---|---|---|---|---|
${rows.join('\n')}

## Magic addresses

Type one of these wherever the portal asks for an e-mail address (signing in on your device, signing up, inviting, editing a member, activating a
phone …): the call that carries it meets the result, and nothing else happens. It works wherever the lab is on, also for a client of your own, without
a call of the lab; \`GET /api/lab/magic\` answers the same table. \`expired+2@${MAGIC_DOMAIN}\` does what \`expired@${MAGIC_DOMAIN}\` does, and a name that is not
in the table is refused.

| address | constant | what the client meets |
|---|---|---|
${magicRows.join('\n')}
`;
}
