import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resetDatabase } from '@orchestrate/db';
import { activate, type EndpointDefinition, pair, pairStatus, pending, resolve, respond } from '@orchestrate/shared';
import { createAuthenticator } from '@orchestrate/shared/authenticator';
import { expect, test, vi } from 'vitest';
import { startSession } from '#core/sign-in/sessions.ts';
import { foreignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { differenceOf } from '#testing/check-answers.ts';
import { BOSS } from '#testing/driving/driver.ts';
import { preparedCallsOf } from '#testing/driving/prepared-calls.ts';
import { writesOf } from '#testing/driving/writes.ts';
import { maskSecretsInReply, maskSecretsInRequest } from '#testing/masked-exchange.ts';
import {
  type Exchanges,
  keepRecordedValues,
  markVariable,
  withRecordedValues,
  withVariations,
} from '#testing/recorded-exchanges.ts';
import { sampleOf } from '#testing/sample-of.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '#testing/test-portal.ts';

const FILE = join(import.meta.dirname, 'exchanges.json');

interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/**
 * Fields that are always recorded as varying, because they depend on the machine or can match by chance in all three
 * recordings. `seq` depends on how many deliveries a busy machine has made.
 */
const UNSTABLE = ['bytes', 'durationMs', 'ip', 'isThis', 'matchNumber', 'ms', 'seq', 'summary'];
/** Endpoints that phones call with signed requests. */
const BY_DEVICES: readonly EndpointDefinition[] = [activate, pair, pairStatus, pending, resolve, respond];
/** Endpoints that return long documents, which have separate tests. */
const DOCUMENTS = ['/lab/world', '/lab/world/schema'];
/** Maximum length of a list recorded in full. Longer lists are shortened to `SHOWN` items. */
const LONG = 5;
const SHOWN = 3;

/** Placeholder for the portal's origin, which differs on every run. */
const ORIGIN = 'http://localhost:3000';

const isRefusal = ({ body }: { body: unknown }) => isObject(body) && 'resultName' in body;
const nameOf = ({ method, path }: EndpointDefinition) => `${method} ${path}`;

/**
 * Calls every endpoint: first each write, with its setup and its usual role; then every other endpoint as the Super
 * Admin; and finally the endpoints that succeed only after those calls.
 */
async function exchange(): Promise<Exchanges> {
  const portal = await startTestPortal();
  // The provider library warns on every start that this setup is not for production.
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
  const seen = new Map<string, Exchanges[string]>();
  function note(entry: EndpointDefinition, input: object, answer: Answer): void {
    const { method, path } = entry;
    const { status, headers } = answer;
    const answered = {
      method,
      path,
      status,
      type: headers['content-type'] ?? '',
      payload: JSON.stringify(answer.body),
    };
    expect(differenceOf(answered)).toBeUndefined();
    const body = JSON.parse(JSON.stringify(answer.body).replaceAll(portal.url, ORIGIN));
    const summary = {
      status,
      type: headers['content-type'] ?? null,
      body: brief(maskSecretsInReply(entry, status, body)),
    };
    const known = seen.get(nameOf(entry));
    const isFirstSuccess = !isRefusal(summary) && (known?.answers ?? []).every(isRefusal);
    const request =
      known && !isFirstSuccess
        ? known.request
        : JSON.parse(JSON.stringify(maskSecretsInRequest(entry, input)).replaceAll(portal.url, ORIGIN));
    seen.set(nameOf(entry), { request, answers: [...(known?.answers ?? []), summary] });
  }
  const call: TestPortal['call'] = async (entry, input, credentials) => {
    const answer = await portal.call(entry, input, credentials);
    note(entry, input, answer);
    return answer;
  };
  const authenticator = createAuthenticator({
    baseUrl: portal.url,
    now: portal.clock.now,
    async fetch(url, init) {
      const response = await fetch(url, init);
      const entry = BY_DEVICES.find(({ path }) => url.endsWith(`/api${path}`));
      const { status, headers } = response;
      const answer = { status, headers: Object.fromEntries(headers), body: await response.clone().json() };
      if (entry) note(entry, { body: JSON.parse(String(init.body)) }, answer);
      return response;
    },
  });
  const recorded = { ...portal, call, authenticator };
  const begin = () => {
    resetDatabase(portal.deps.db, 'demo', TEST_NOW);
    portal.clock.freeze(TEST_NOW);
  };
  try {
    for (const { prepare } of writesOf(recorded, foreign)) {
      begin();
      await (await prepare())();
    }
    for (const entry of portal.deps.registered.endpoints.filter(({ multipart }) => !multipart)) {
      if ((seen.has(nameOf(entry)) && !BY_DEVICES.includes(entry)) || DOCUMENTS.includes(entry.path)) continue;
      begin();
      const { orgCode, suid, zid } = portal.device(BOSS);
      await call(entry, sampleOf(entry) as never, { token: startSession(portal.deps, { orgCode, suid, zid }).token });
    }
    for (const make of preparedCallsOf(recorded, foreign)) {
      begin();
      await make();
    }
    return Object.fromEntries([...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    await foreign.close();
    await portal.close();
  }
}

/** Shortens long lists to their first items and a count of the rest. */
function brief(value: unknown): unknown {
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, UNSTABLE.includes(key) ? markVariable(item) : brief(item)]),
    );
  }
  if (!Array.isArray(value)) return value;
  const items = value.map(brief);
  return items.length > LONG ? [...items.slice(0, SHOWN), `and ${items.length - SHOWN} more`] : items;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Rewrites the file from three recordings with `RECORD=1`, after an intended change to the wire format. Varying
 * values keep their recorded values unless the exchange's structure has changed.
 */
async function record(): Promise<void> {
  const fresh = withVariations([await exchange(), await exchange(), await exchange()]);
  const old: Exchanges = JSON.parse(readFileSync(FILE, 'utf8'));
  writeFileSync(FILE, `${JSON.stringify(keepRecordedValues(old, fresh), null, 2)}\n`);
}

/** Test timeout in milliseconds. Recording calls every endpoint four times. */
const PATIENCE_MS = process.env.RECORD ? 600_000 : 120_000;

test(
  'returns the recorded response at every endpoint, with fields in the same order',
  async () => {
    if (process.env.RECORD) await record();
    const wanted: Exchanges = JSON.parse(readFileSync(FILE, 'utf8'));
    const given = await exchange();
    expect(Object.keys(given)).toEqual(Object.keys(wanted));
    for (const [name, { answers }] of Object.entries(wanted)) {
      expect(withRecordedValues(answers, given[name]?.answers), name).toEqual(answers);
    }
  },
  PATIENCE_MS,
);
