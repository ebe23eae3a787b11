import { readSetup, resetLab, setUp } from '@orchestrate/shared';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTable } from '#process/start-table.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { formatSetupCode } from './routes.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ seed: 'none' });
});
beforeEach(() => portal.lab.reset());
afterAll(() => portal.close());

const FIRST = {
  orgCode: 'initech',
  orgName: 'Initech',
  firstName: 'Bill',
  lastName: 'Lumbergh',
  email: 'bill@initech.test',
};
const setup = (more: Partial<typeof FIRST & { code: string }> = {}) =>
  portal.call(setUp, { body: { code: formatSetupCode(portal.deps), ...FIRST, ...more } });
const state = async () => (await portal.call(readSetup, {})).body;

test('prints a code in an empty portal that creates the organisation and its first administrator', async () => {
  expect(await state()).toMatchObject({ isOpen: true, isEmpty: true });
  expect(startTable(portal.deps, portal.deps.config, true)).toContain(formatSetupCode(portal.deps));
  const { status, body } = await setup();
  expect({ status, orgCode: body.orgCode }).toEqual({ status: 200, orgCode: 'initech' });
  const { device } = await portal.authenticator.activate({
    orgCode: 'initech',
    email: FIRST.email,
    activationCode: body.activationCode,
    device: { name: 'Pocket', type: 'mobile', platform: 'Android 16' },
  });
  expect(device).toMatchObject({ orgName: 'Initech', email: FIRST.email });
  expect(await state()).toMatchObject({ isOpen: false, isEmpty: false });
  expect(startTable(portal.deps, portal.deps.config, true)).not.toContain(formatSetupCode(portal.deps));
});

test('accepts the code only once, even with concurrent requests', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => setup({ email: `${name}@initech.test` })));
  expect(answers.map(({ body }) => body.resultName ?? 'SUCCESS').toSorted()).toEqual(['EXPIRED', 'EXPIRED', 'SUCCESS']);
});

test('doesn’t use up the code if the form is rejected', async () => {
  expect((await setup({ code: 'AAAA-BBBB' })).body).toMatchObject({ resultName: 'FORBIDDEN' });
  expect((await setup({ orgCode: 'not a code' })).status).toBe(400);
  expect((await setup()).status).toBe(200);
});

test('rejects an organisation code whose sign-in URL would be a page of the portal', async () => {
  const message = 'The portal uses this address for its own pages. Choose another code';
  for (const orgCode of ['lab', 'Docs', 'api', 'dashboard', 'assets']) {
    const { status, body } = await setup({ orgCode });
    expect({ status, issues: body.issues }).toEqual({ status: 400, issues: [{ path: 'orgCode', message }] });
  }
  const seed = { organisations: [{ code: 'lab' }] };
  const issues = [{ path: 'seed.organisations.0.code', message }];
  expect((await portal.call(resetLab, { body: { seed } })).body).toMatchObject({ issues });
  expect((await setup()).status).toBe(200);
});

test('creates an administrator only for an organisation that has none', async () => {
  const people = [{ email: 'peter@initech.test' }];
  const boss = [{ email: 'boss@umbrella.test', role: 'SUPER_ADMIN' }];
  const organisations = [
    { code: 'initech', people },
    { code: 'umbrella', people: boss },
  ];
  await portal.lab.reset({ seed: { organisations } });
  expect(await state()).toMatchObject({ isOpen: true, isEmpty: false });
  expect(startTable(portal.deps, portal.deps.config, true)).toContain('No one administers initech.');
  expect((await setup({ orgCode: 'umbrella' })).body).toMatchObject({
    resultName: 'FORBIDDEN',
    message: 'umbrella already has an administrator. Ask them to invite you.',
  });
  expect((await setup({ orgCode: 'initec' })).body.message).toContain('Did you mean initech?');
  expect((await setup({ email: 'peter@initech.test' })).body.resultName).toBe('USER_EXISTS');
  expect((await setup()).status).toBe(200);
});

test('lets the first administrator register a computer if the mobile app is disabled', async () => {
  const loginOptions = { mobileAppEnabled: false };
  await portal.lab.reset({ seed: { organisations: [{ code: 'initech', loginOptions, people: [] }] } });
  const { activationCode } = (await setup()).body;
  const device = { name: 'Desk', type: 'desktop' as const, platform: 'Windows 11' };
  const activated = await portal.authenticator.activate({
    orgCode: 'initech',
    email: FIRST.email,
    activationCode,
    device,
  });
  expect(activated.device).toMatchObject({ orgName: 'Initech' });
});

test('closes setup in the demo, which already has administrators', { tags: 'whole' }, async () => {
  await portal.lab.reset({ seed: 'demo' });
  expect(await state()).toMatchObject({ isOpen: false });
  expect((await setup({ orgCode: 'acme' })).body.resultName).toBe('FORBIDDEN');
});

test('offers the lab only on a local portal', async () => {
  expect(await state()).toMatchObject({ hasOpenLab: true });
  const reachable = await testPortal({ config: { host: '0.0.0.0', labToken: 'a-token-of-the-lab' } });
  expect((await reachable.call(readSetup, {})).body).toMatchObject({ hasOpenLab: false });
  await reachable.close();
});
