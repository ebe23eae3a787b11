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

test('an empty portal prints a code that creates the organisation and its first administrator', async () => {
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

test('the code works once, even for concurrent users', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => setup({ email: `${name}@initech.test` })));
  expect(answers.map(({ body }) => body.resultName ?? 'SUCCESS').toSorted()).toEqual(['EXPIRED', 'EXPIRED', 'SUCCESS']);
});

test('a refused form doesn’t use up the code', async () => {
  expect((await setup({ code: 'AAAA-BBBB' })).body).toMatchObject({ resultName: 'FORBIDDEN' });
  expect((await setup({ orgCode: 'not a code' })).status).toBe(400);
  expect((await setup()).status).toBe(200);
});

test('creates no organisation whose sign-in URL is a page of the portal', async () => {
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

test('in a world without an administrator the code creates one, only there', async () => {
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
    message: 'umbrella already has an administrator, who can invite others.',
  });
  expect((await setup({ orgCode: 'initec' })).body.message).toContain('Did you mean initech?');
  expect((await setup({ email: 'peter@initech.test' })).body.resultName).toBe('USER_EXISTS');
  expect((await setup()).status).toBe(200);
});

test('without a mobile app the first administrator registers a computer', async () => {
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

test('the demo has administrators, so there is nothing to set up', { tags: 'whole' }, async () => {
  await portal.lab.reset({ seed: 'demo' });
  expect(await state()).toMatchObject({ isOpen: false });
  expect((await setup({ orgCode: 'acme' })).body.resultName).toBe('FORBIDDEN');
});
