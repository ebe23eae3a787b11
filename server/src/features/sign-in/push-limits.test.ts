import {
  codeOf,
  DAY,
  disownLogin,
  getLoginHistory,
  HOUR,
  login,
  loginState,
  SECOND,
  withdrawLogin,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { browserCookieIn, createRecognisedBrowser } from '#testing/browser.ts';
import { setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const EMPLOYEE_ID = 'E-10006';
const HOME = '198.51.100.7';
const STRANGER = '203.0.113.9';
const ELSEWHERE = '192.0.2.44';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
  setOrganisation(portal, 'acme', { discloseUnknownUsers: 0 });
});
afterEach(() => portal.close());

interface From {
  ip: string;
  cookie?: string;
}

async function post({ ip, cookie }: From, body: object) {
  const headers = cookie === undefined ? {} : { cookie };
  const url = `/api${login.path}`;
  const answer = await portal.app.inject({ method: 'POST', url, remoteAddress: ip, headers, payload: body });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
}

const request = (from: From, primaryAttr = USER) => post(from, { orgCode: 'acme', mode: 'PUSH', primaryAttr });

async function requestTwice(from: From, primaryAttr = USER) {
  for (const _ of [1, 2]) expect((await request(from, primaryAttr)).status).toBe(200);
}

async function onPhone(): Promise<string[]> {
  const waiting = await portal.authenticator.pending(portal.device(USER));
  return waiting.map(({ challengeId }) => challengeId);
}

async function reachesPhone(from: From, primaryAttr = USER): Promise<boolean> {
  const { status, body } = await request(from, primaryAttr);
  expect(status).toBe(200);
  return (await onPhone()).includes(String(body.loginId));
}

/** Signs in by push and returns the browser's cookies. */
async function signIn(from: From): Promise<string> {
  const { body } = await request(from);
  const loginId = String(body.loginId);
  await portal.authenticator.respond(portal.device(USER), {
    challengeId: loginId,
    decision: 'approve',
    number: String(body.matchNumber),
  });
  const { exchangeToken = '' } = (await portal.call(loginState, { params: { loginId } })).body;
  const exchanged = await post(from, { loginId, exchangeToken });
  expect(exchanged.body.resultCode).toBe(0);
  portal.clock.advance(1);
  return browserCookieIn(exchanged);
}

async function withdraw(loginId: string) {
  expect((await portal.call(withdrawLogin, { body: { loginId } })).body).toEqual({ resultCode: 0 });
}

describe('while a stranger’s requests are waiting', () => {
  // covers: security T4
  test('delivers requests from a network where the member has signed in', async () => {
    await signIn({ ip: HOME });
    await requestTwice({ ip: STRANGER });
    expect(await reachesPhone({ ip: HOME })).toBe(true);
    expect(await reachesPhone({ ip: HOME })).toBe(true);
    expect((await request({ ip: HOME })).status).toBe(429);
    expect((await request({ ip: STRANGER })).status).toBe(429);
  });

  test('recognises an IPv6 network by its first 64 bits', async () => {
    await signIn({ ip: '2001:db8:0:7::1' });
    await requestTwice({ ip: STRANGER });
    expect(await reachesPhone({ ip: '2001:db8:0:7:8000::2' })).toBe(true);
    expect(await reachesPhone({ ip: '2001:db8:0:8::1' })).toBe(false);
  });

  test('delivers requests from a browser in which the member has signed in', async () => {
    const cookie = await signIn({ ip: HOME });
    await requestTwice({ ip: STRANGER });
    await requestTwice({ ip: HOME });
    expect((await request({ ip: HOME })).status).toBe(429);
    expect(await reachesPhone({ ip: HOME, cookie })).toBe(true);
    expect(await reachesPhone({ ip: STRANGER, cookie })).toBe(true);
    const { status, headers } = await request({ ip: ELSEWHERE, cookie });
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '120' });
  });

  test('applies a separate limit only to browsers in which this member has signed in', async () => {
    const cookie = await signIn({ ip: HOME });
    await requestTwice({ ip: STRANGER });
    expect(await reachesPhone({ ip: ELSEWHERE, cookie: createRecognisedBrowser(portal).cookie })).toBe(false);
    await requestTwice({ ip: STRANGER }, 'manager@acme.test');
    const { body } = await request({ ip: ELSEWHERE, cookie }, 'manager@acme.test');
    const waiting = await portal.authenticator.pending(portal.device('manager@acme.test'));
    expect(waiting.map(({ challengeId }) => challengeId)).not.toContain(body.loginId);
  });

  test('applies the same limit if the stranger uses another identifier of the member', async () => {
    await signIn({ ip: HOME });
    await requestTwice({ ip: STRANGER }, EMPLOYEE_ID);
    expect(await reachesPhone({ ip: STRANGER })).toBe(false);
    expect(await reachesPhone({ ip: HOME })).toBe(true);
  });

  test('limits all unknown networks together to two requests on the phone', async () => {
    await signIn({ ip: HOME });
    await requestTwice({ ip: STRANGER });
    for (let host = 1; host <= 10; host += 1) expect(await reachesPhone({ ip: `192.0.2.${host}` })).toBe(false);
    expect(await onPhone()).toHaveLength(2);
  });

  test('doesn’t count the member’s own requests towards the strangers’ limit', async () => {
    await signIn({ ip: HOME });
    await requestTwice({ ip: HOME });
    expect(await reachesPhone({ ip: STRANGER })).toBe(true);
    expect(await reachesPhone({ ip: ELSEWHERE })).toBe(true);
    expect(await reachesPhone({ ip: '192.0.2.45' })).toBe(false);
  });

  test('recognises a network for 90 days', async () => {
    await signIn({ ip: HOME });
    portal.clock.advance((89 * DAY) / SECOND);
    await requestTwice({ ip: STRANGER });
    expect(await reachesPhone({ ip: HOME })).toBe(true);
    portal.clock.advance((2 * DAY) / SECOND);
    await requestTwice({ ip: STRANGER });
    expect(await reachesPhone({ ip: HOME })).toBe(false);
  });

  test('asks strangers to wait if account privacy is off (429)', async () => {
    setOrganisation(portal, 'acme', { discloseUnknownUsers: 1 });
    await signIn({ ip: HOME });
    await requestTwice({ ip: STRANGER });
    portal.clock.advance(20);
    const { status, headers, body } = await request({ ip: ELSEWHERE });
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '100' });
    expect(body.message).toMatch(/^2 requests are already pending for this name/);
    expect(await reachesPhone({ ip: HOME })).toBe(true);
  });
});

test('responds identically to every sequence of requests for known and unknown names', async () => {
  await signIn({ ip: HOME });
  const { cookie } = createRecognisedBrowser(portal);
  await requestTwice({ ip: HOME });
  portal.clock.advance(121);
  const requests: From[] = [STRANGER, STRANGER, ELSEWHERE, HOME, HOME, STRANGER, ELSEWHERE, HOME, ELSEWHERE]
    .map((ip): From => ({ ip }))
    .concat({ ip: HOME, cookie }, { ip: '192.0.2.45', cookie });
  const answersFor = async (name: string) => {
    const answers = [];
    for (const from of requests) {
      const { status, headers, body } = await request(from, name);
      const { loginId: _, matchNumber: __, requestId: ___, ...rest } = body;
      answers.push({ status, retryAfter: headers['retry-after'], rest });
    }
    return answers;
  };
  const known = await answersFor(USER);
  expect(known.filter(({ status }) => status === 429)).not.toEqual([]);
  for (const name of ['nobody@acme.test', 'mara.lindholm@acme.test', 'omar.hassan@acme.test']) {
    expect(await answersFor(name)).toEqual(known);
  }
});

describe('the pause after denials', () => {
  const deny = async (from: From) => {
    const { body } = await request(from);
    const challengeId = String(body.loginId);
    await portal.authenticator.respond(portal.device(USER), { challengeId, decision: 'deny', reason: 'not-me' });
  };

  test('doesn’t affect a known network, no matter how many requests are denied', async () => {
    await signIn({ ip: HOME });
    for (let denied = 0; denied < 22; denied += 1) {
      await deny({ ip: STRANGER });
      portal.clock.advance(HOUR / SECOND);
    }
    await deny({ ip: STRANGER });
    expect(await reachesPhone({ ip: HOME })).toBe(true);
  });

  test('doesn’t affect a known browser if the stranger shares its network', async () => {
    const cookie = await signIn({ ip: HOME });
    await deny({ ip: HOME });
    expect((await request({ ip: HOME })).status).toBe(429);
    expect(await reachesPhone({ ip: HOME, cookie })).toBe(true);
    await deny({ ip: HOME, cookie });
    expect((await request({ ip: HOME, cookie })).status).toBe(429);
  });
});

test('doesn’t end sign-ins in other known browsers of the same network after a report', async () => {
  const cookie = await signIn({ ip: HOME });
  const begin = async (from: From) => {
    const { body } = await post(from, { orgCode: 'acme', mode: 'QID' });
    return String(body.loginId);
  };
  const [mine, theirs] = [await begin({ ip: HOME, cookie }), await begin({ ip: HOME })];
  const { loginId: challengeId } = (await request({ ip: HOME }, 'manager@acme.test')).body;
  const respond = { challengeId: String(challengeId), decision: 'deny', reason: 'not-me' } as const;
  await portal.authenticator.respond(portal.device('manager@acme.test'), respond);
  const stateOf = async (loginId: string) => (await portal.call(loginState, { params: { loginId } })).body.state;
  expect([await stateOf(mine), await stateOf(theirs)]).toEqual(['init', 'rejected']);
});

test('doesn’t lock out a member who cancels and restarts in their own browser', async () => {
  const cookie = await signIn({ ip: HOME });
  for (let round = 0; round < 5; round += 1) {
    const { status, body } = await request({ ip: HOME, cookie });
    expect(status).toBe(200);
    const { loginId } = body;
    await withdraw(String(loginId));
    expect(await onPhone()).toEqual([]);
  }
});

test('counts cancelled requests from strangers towards the limit', async () => {
  for (const _ of [1, 2]) {
    const { loginId } = (await request({ ip: STRANGER })).body;
    await withdraw(String(loginId));
  }
  const { status, body } = await request({ ip: STRANGER });
  expect(status).toBe(429);
  expect(body.message).toMatch(/^2 requests for this name were recently cancelled/);
  expect(await reachesPhone({ ip: ELSEWHERE })).toBe(false);
  portal.clock.advance(121);
  expect((await request({ ip: STRANGER })).body.resultCode).toBe(codeOf('LOGIN_INIT'));
});

describe('a browser known to a member', () => {
  test('is forgotten if the member reports a request from it with “It wasn’t me”', async () => {
    const cookie = await signIn({ ip: HOME });
    const { body } = await request({ ip: ELSEWHERE, cookie });
    const challengeId = String(body.loginId);
    await portal.authenticator.respond(portal.device(USER), { challengeId, decision: 'deny', reason: 'not-me' });
    portal.clock.advance(HOUR / SECOND);
    await requestTwice({ ip: STRANGER });
    expect(await reachesPhone({ ip: ELSEWHERE, cookie })).toBe(false);
  });

  test('is forgotten if the member reports a sign-in from it, but their own browser stays known', async () => {
    const own = await signIn({ ip: HOME });
    const theirs = await signIn({ ip: STRANGER });
    const { token } = await portal.signIn(USER);
    const { records } = (await portal.call(getLoginHistory, { query: { count: 2 } }, { token })).body;
    const disowned = records.find(({ ip }) => ip === STRANGER);
    await portal.call(disownLogin, { body: { id: disowned?.id ?? '' } }, { token });
    await requestTwice({ ip: ELSEWHERE });
    expect(await reachesPhone({ ip: '192.0.2.45', cookie: theirs })).toBe(false);
    expect(await reachesPhone({ ip: '192.0.2.46', cookie: own })).toBe(true);
  });
});
