import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Portal, startPortal } from 'orchestrate/testing';
import { signIn } from './app.ts';

let portal: Portal;
before(async () => {
  const applications = [{ id: 'cli', oidc: { kind: 'native' as const } }];
  const people = [{ email: 'user@acme.test', devices: [{}] }];
  portal = await startPortal({ seed: { organisations: [{ code: 'acme', applications, people }] } });
});
beforeEach(() => portal.reset());
after(() => portal.close());

/** Starts the program. @returns the displayed device code and a promise that settles when the program ends */
async function start() {
  const lines: string[] = [];
  let shown: (address: string) => void;
  const address = new Promise<string>((done) => {
    shown = done;
  });
  const ended = signIn(`${portal.url}/oidc/acme`, 'cli', (line) => {
    lines.push(line);
    const [, uri, code] = /^Open (\S+) and enter (\S+)$/.exec(line) ?? [];
    if (uri && code) shown(`${uri}?user_code=${encodeURIComponent(code)}`);
  });
  // Avoids an unhandled rejection until the test awaits the promise.
  ended.catch(() => undefined);
  return { lines, ended, verification_uri_complete: await address };
}

test('signs in once the user has entered the code', async () => {
  const { lines, ended, verification_uri_complete } = await start();
  await portal.browser({ as: 'user@acme.test' }).open(verification_uri_complete);
  await ended;
  assert.equal(lines.at(-1), 'Hello, user@acme.test');
});

test('shows an error if the code has expired', async () => {
  const { ended } = await start();
  await portal.clock({ advance: '10m' });
  await assert.rejects(ended, /expired_token|server responded with an error/);
});
