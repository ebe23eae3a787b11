import { randomUUID } from 'node:crypto';
import { contract, loginLive, type PhoneLie, type ReplyOf, testDeviceLive, verbalLive } from '@orchestrate/shared';
import { createDeviceKey, type PortalRefusal, signDeviceJws, thumbprintOf } from '@orchestrate/shared/authenticator';
import type { Portal } from '../portal.ts';
import {
  ADMIN,
  asAdmin,
  asJson,
  ask,
  bearer,
  type Comparison,
  compareLines,
  pause,
  realPhoneOf,
  sessionSeen,
  setStage,
  shapeOf,
} from './lines-testing.ts';

const stage = setStage();

type Begun = ReplyOf<typeof contract.login>;
const begin = (mode: 'QID' | 'PUSH'): Promise<Begun> =>
  stage.portal.call(contract.login, { body: { orgCode: 'acme', mode, primaryAttr: stage.email } });

/** Signs in while a phone responds. Returns the browser's last message, the sign-in's state and the messages to people. */
async function follow(mode: 'QID' | 'PUSH', last: string, respond: (begun: Begun) => Promise<unknown>) {
  const { portal } = stage;
  await portal.emptyOutbox();
  const begun = await begin(mode);
  const { loginId = '' } = begun;
  const live = await portal.open(loginLive, { loginId });
  await respond(begun);
  let message = await live.next();
  while (message.state !== last) message = await live.next({ timeout: 5_000 });
  live.close();
  const state = await portal.call(contract.loginState, { params: { loginId } });
  const sent = (await portal.outbox()).map(({ to, subject }) => [to, subject.split(':')[0]]);
  return shapeOf([message, state, sent]);
}

/** Responds with a real phone. Scans the code first if there is one. */
const respond =
  (decision?: { decision: 'approve'; isWrong?: boolean } | { decision: 'deny'; reason?: 'not-me' }) =>
  async ({ loginId: challengeId = '', qid, matchNumber, ...begun }: Begun) => {
    const { device, authenticator } = await realPhoneOf(stage);
    if (qid) await authenticator.resolve(device, qid);
    if (!decision) return;
    if (decision.decision === 'deny') return authenticator.respond(device, { challengeId, ...decision });
    const [{ numberChoices = [] } = {}] = await authenticator.pending(device);
    const number = decision.isWrong ? numberChoices?.find((one) => one !== matchNumber) : matchNumber;
    const answer = { challengeId, decision: 'approve' as const, ...(number !== undefined && { number }) };
    return authenticator.respond(device, answer).catch(() => begun);
  };

/** Compares a policy with a real phone. */
const phone =
  (
    mode: 'QID' | 'PUSH',
    last: string,
    policy: Omit<Parameters<Portal['policy']>[0], 'match'>,
    real: Parameters<typeof respond>[0],
  ): Comparison =>
  async () => {
    const { portal, email } = stage;
    await portal.policy({ match: { email }, ...policy });
    const simulated = await follow(mode, last, () => portal.clock({ advance: '1s' }));
    await startAnew();
    return { simulated, real: await follow(mode, last, respond(real)) };
  };

/** Compares a response through the lab with that of a real phone. */
const answered = (answer: 'approve' | 'deny', last: string, reason?: 'not-me'): Comparison => {
  const real = answer === 'approve' ? { decision: answer } : { decision: answer, ...(reason && { reason }) };
  return async () => {
    const simulated = await follow('QID', last, ({ loginId = '' }) =>
      stage.portal[answer](loginId, { as: stage.email, ...(reason && { reason }) }),
    );
    await startAnew();
    return { simulated, real: await follow('QID', last, respond(real)) };
  };
};
/** Resets the portal, because administrators are alerted at most once an hour. */
async function startAnew() {
  await stage.portal.reset();
  Object.assign(stage, await stage.portal.person({ org: 'acme' }));
}

/** Verifies a caller. Returns the last message that the call center receives. */
async function followCaller(
  last: string,
  respondTo: (begun: ReplyOf<typeof contract.startVerbal>) => Promise<unknown>,
) {
  const { portal } = stage;
  const admin = await asAdmin(stage);
  const begun = await portal.call(contract.startVerbal, { query: {} }, admin);
  const live = await portal.open(verbalLive, { epoch: begun.epoch, org: 'acme' }, admin);
  await respondTo(begun);
  let message = await live.next();
  while (message.state !== last) message = await live.next({ timeout: 5_000 });
  live.close();
  return shapeOf(message);
}
const callerResponds =
  (decision: 'approve' | 'deny') =>
  async ({ code }: ReplyOf<typeof contract.startVerbal>) => {
    const { device, authenticator } = await realPhoneOf(stage);
    const { challenge } = await authenticator.resolve(device, code);
    await authenticator.respond(device, { challengeId: challenge.challengeId, decision });
  };

/** Tests a device. Returns the result that the browser receives. */
async function followDeviceTest(respondTo: (qid: string) => Promise<unknown>) {
  const { portal, email } = stage;
  const { token } = await portal.session({ email });
  const { qid } = await portal.call(contract.testDevice, { params: { orgCode: 'acme' } }, { token });
  const live = await portal.open(testDeviceLive, { qid, org: 'acme' }, { token });
  await respondTo(qid);
  let message = await live.next();
  while (message.op !== 'test') message = await live.next({ timeout: 5_000 });
  live.close();
  return shapeOf(message);
}

const resultOfCall = (call: Promise<{ resultCode: number }>) =>
  call.then(
    ({ resultCode }) => ({ resultCode }),
    ({ resultCode, resultName, sentence }: PortalRefusal) => ({ resultCode, resultName, message: sentence }),
  );

/** Compares an invalid response of a simulated phone with one that is written by hand. */
const lie =
  (name: PhoneLie): Comparison =>
  async () => {
    const { portal, email } = stage;
    const lost = await portal.person({ org: 'acme', devices: [{}, { type: 'desktop' }] });
    const { device: lostDevice } = await realPhoneOf({ portal, email: lost.email });
    const { zid, suid } = lostDevice;
    await portal.call(contract.deleteDevice, { body: { zid, suid, action: 'LOST_DEVICE' } }, await asAdmin(stage));
    // Otherwise the responses could differ by a second in how old the message is.
    await portal.clock({ mode: 'frozen' });
    const begun = await begin('PUSH');
    const simulated = [await portal.approve(begun.loginId ?? '', { as: email, lie: name }), await stateOf(begun)];
    const again = await begin('PUSH');
    const { device } = await realPhoneOf(stage);
    const signer = name === 'lost-device' ? lostDevice : device;
    const key = name === 'wrong-key' ? createDeviceKey() : signer.privateKeyJwk;
    const now = Math.floor(Date.parse((await portal.clock()).now) / 1_000);
    const skew = { old: -600, future: 600 }[name as string] ?? 0;
    const claims = {
      aud: name === 'other-audience' ? 'globex' : 'acme',
      iat: now + skew,
      jti: randomUUID(),
      challengeId: again.loginId,
      decision: 'approve',
      number: again.matchNumber,
      jkt: thumbprintOf(key),
    };
    const kid = name === 'unknown-device' ? randomUUID() : signer.zid;
    const jws = signDeviceJws(claims, key, kid);
    const sent = name === 'altered' ? jws.replace(/\.[^.]+\./, `.${base64({ ...claims, jti: randomUUID() })}.`) : jws;
    if (name === 'replay') await portal.call(contract.pending, { body: { zid: kid, jws } });
    const response = resultOfCall(portal.call(contract.respond, { body: { zid: kid, jws: sent } }));
    return { simulated, real: [await response, await stateOf(again)] };
  };
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const stateOf = async ({ loginId = '' }: Begun) =>
  (await stage.portal.call(contract.loginState, { params: { loginId } })).state;

const signIn = (primaryAttr = stage.email) =>
  ask(stage, '/api/user/login', asJson({ orgCode: 'acme', mode: 'PUSH', primaryAttr }));
const profile = (token: string) => ask(stage, '/api/profile', bearer(token));

/** Assigns a role as an administrator does. */
async function assignRole({ suid, email }: { suid: string; email: string }, roles: string) {
  const admin = await asAdmin(stage);
  const { profile: found } = await stage.portal.call(contract.getUser, { query: { suid } }, admin);
  const { firstName, lastName, primaryAttr } = found;
  const body = { primaryAttr, firstName, lastName, primaryEmail: email, roles };
  await stage.portal.call(contract.updateUser, { body }, admin);
}

/** Compares a change of two members who are signed in: what their sessions and an administrator see. */
const change =
  (
    simulate: (of: { email: string; suid: string }) => Promise<unknown>,
    act: (of: { email: string; suid: string }) => Promise<unknown>,
  ): Comparison =>
  async () => {
    const see = async (how: typeof act) => {
      const member = await stage.portal.person({ org: 'acme', devices: [{}, {}] });
      const session = await stage.portal.session({ email: member.email });
      await how(member);
      const own = await sessionSeen(stage, session);
      const found = await stage.portal.call(contract.getUser, { query: { suid: member.suid } }, await asAdmin(stage));
      const { roleName, status, manager } = Object(found.profile);
      return [
        own.map(({ status: code, headers, body }) => [code, headers, body.resultName, Object.keys(body)]),
        roleName,
        status,
        manager,
      ];
    };
    return { simulated: await see(simulate), real: await see(act) };
  };

const APPROVE = { answer: 'approve', opens: true } as const;
const DENY = { answer: 'deny', opens: true } as const;

compareLines('phones', {
  'a user who scans the code and approves': phone('QID', 'success', APPROVE, { decision: 'approve' }),
  'a slow phone': phone('QID', 'success', { ...APPROVE, afterMs: 350 }, { decision: 'approve' }),
  'an approval at a chosen moment': answered('approve', 'success'),
  'an approval at a chosen moment: verification of a caller': async () => ({
    simulated: await followCaller('success', ({ code }) => stage.portal.approve(code, { as: stage.email })),
    real: await followCaller('success', callerResponds('approve')),
  }),
  'an approval at a chosen moment: device test': async () => ({
    simulated: await followDeviceTest((qid) => stage.portal.approve(qid, { as: stage.email })),
    real: await followDeviceTest(async (qid) => {
      const { device, authenticator } = await realPhoneOf(stage);
      await authenticator.resolve(device, qid);
    }),
  }),
  'a user who denies: verification of a caller': async () => ({
    simulated: await followCaller('denied', ({ code }) => stage.portal.deny(code, { as: stage.email })),
    real: await followCaller('denied', callerResponds('deny')),
  }),
  'a user who denies': phone('QID', 'rejected', DENY, { decision: 'deny' }),
  'a user who reports the sign-in as someone else’s': phone(
    'QID',
    'rejected',
    { ...DENY, reason: 'not-me' },
    { decision: 'deny', reason: 'not-me' },
  ),
  'the same at a chosen moment': answered('deny', 'rejected', 'not-me'),
  'a user who scans the code and then does nothing': phone(
    'QID',
    'pending',
    { answer: 'ignore', opens: true },
    undefined,
  ),
  'a push approved with the wrong number': phone(
    'PUSH',
    'rejected',
    { answer: 'approve', number: 'wrong' },
    { decision: 'approve', isWrong: true },
  ),
  ...Object.fromEntries(
    (['wrong-key', 'replay', 'altered', 'other-audience', 'old', 'future'] as const).map((name) => [
      `a forged, replayed or altered response: ${name}`,
      lie(name),
    ]),
  ),
  'a lost or unknown phone: lost-device': lie('lost-device'),
  'a lost or unknown phone: unknown-device': lie('unknown-device'),
  'one automatic invalid response': async () => {
    const { portal, email } = stage;
    await portal.policy({ match: { email }, ...APPROVE, lie: 'wrong-key', times: 1 });
    const begun = await begin('QID');
    await portal.clock({ advance: '1s' });
    const simulated = await stateOf(begun);
    const again = await begin('QID');
    const { device, authenticator } = await realPhoneOf(stage);
    await authenticator.resolve(device, again.qid ?? '');
    const forged = { ...device, privateKeyJwk: createDeviceKey() };
    const answer = { challengeId: again.loginId ?? '', decision: 'approve' as const };
    await authenticator.respond(forged, answer).catch(() => undefined);
    return { simulated, real: await stateOf(again) };
  },
  'a code that isn’t scanned': async () => {
    const { device, authenticator } = await realPhoneOf(stage);
    const resolve = () => resultOfCall(authenticator.resolve(device, begun.qid ?? ''));
    const begun = await begin('QID');
    await stage.portal.fault({ match: { path: '/api/authenticator/resolve' }, answer: { resultName: 'EXPIRED' } });
    const simulated = await resolve();
    await stage.portal.clock({ advance: '10m' });
    return { simulated, real: await resolve() };
  },

  'a disabled account': async () => {
    const disabled = await stage.portal.person({ org: 'acme', status: 'inactive', devices: [{}] });
    await pause(stage);
    return { simulated: await signIn(disabled.email), real: await signIn() };
  },
  'an administrator, several devices': async () => {
    const { portal, suid } = stage;
    const see = async (of: string) => {
      const admin = await asAdmin(stage);
      const { profile: found, devices } = await portal.call(contract.getUser, { query: { suid: of } }, admin);
      const session = await portal.session({ email: found.email });
      const { body } = await profile(session.token);
      const { role, roleName, accountStatus, deviceCount } = found;
      return [role, roleName, accountStatus, deviceCount, devices.map(({ type }) => type).sort(), body.permissions];
    };
    const devices = [{}, { type: 'desktop' as const }];
    const simulated = await see((await portal.person({ org: 'acme', role: 'HELPDESK_ADMIN', devices })).suid);
    await assignRole(stage, 'HELPDESK_ADMIN');
    await addDesktop();
    return { simulated, real: await see(suid) };
  },
  'an administrator, several devices: one is removed': change(
    ({ email }) => stage.portal.person({ org: 'acme', email, devices: [{}] }),
    async ({ email, suid }) => {
      const phoneId = (await realPhoneOf({ portal: stage.portal, email })).device.zid;
      await stage.portal.call(contract.deleteDevice, { body: { zid: phoneId, suid } }, await asAdmin(stage));
    },
  ),
  'a user who becomes an administrator': change(
    ({ email }) => stage.portal.person({ org: 'acme', email, role: 'HELPDESK_ADMIN' }),
    (member) => assignRole(member, 'HELPDESK_ADMIN'),
  ),
  'a user who is disabled and gets a manager': change(
    ({ email }) => stage.portal.person({ org: 'acme', email, status: 'inactive', manager: ADMIN }),
    async ({ suid }) => {
      const admin = await asAdmin(stage);
      const [{ suid: managerSuid = '' } = {}] = (await stage.portal.people({ email: ADMIN })).people;
      await stage.portal.call(contract.editDetails, { body: { suid, managerSuid } }, admin);
      await pause(stage, suid);
    },
  ),
});

/** Registers a computer with an activation code, as a member's desktop app does. */
async function addDesktop() {
  const { portal, email, suid } = stage;
  const admin = await asAdmin(stage);
  const { profile: found } = await portal.call(contract.getUser, { query: { suid } }, admin);
  const body = { email, primaryAttr: found.primaryAttr, type: 'desktop' as const, sendEmail: true };
  await portal.call(contract.regenerateActivationCode, { body }, admin);
  const [mail] = await portal.outbox({ to: email });
  const device = { name: 'Computer', type: 'desktop' as const, platform: 'Linux' };
  const { authenticator } = await realPhoneOf(stage);
  await authenticator.activate({ orgCode: 'acme', email, activationCode: mail?.code ?? '', device });
}
