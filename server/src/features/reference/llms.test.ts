import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

test('serves rules, one line per task and this portal’s URLs to coding assistants', async () => {
  const { text, headers } = await portal.http.get('/docs/llms.txt').expect(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# Orchestrate\n\n> /);
  expect(text).toContain(
    "- a user who denies: `await portal.policy({ match: { email }, answer: 'deny', opens: true });`",
  );
  expect(text.match(/^- .+: `await /gm)?.length).toBeGreaterThan(25);
  // Tests of pages behind sign-in start with this line, so assistants must see it.
  expect(text).toContain('portal.session({ email })');
  // The text must also cover socket messages, caught refusals and where a denied browser ends up.
  for (const word of ['live.next()', 'rejects.toMatchObject', "the portal's sign-in page"])
    expect(text).toContain(word);
  expect(text).toContain('/docs/asyncapi.json');
  for (const [, address = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
    expect(address).toContain(portal.url);
    await portal.http.get(address.replace(portal.url, '')).expect(({ status }) => expect(status).toBeLessThan(400));
  }
});
