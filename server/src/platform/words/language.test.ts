import {
  authenticatorLive,
  beginApproval,
  contract,
  type Language,
  LIVE_PROTOCOL,
  languageAsSubprotocol,
} from '@orchestrate/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { signedCallBody } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'security.admin@acme.test';

let portal: TestPortal;
let token: string;
beforeAll(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(ADMIN));
});
afterAll(() => portal.close());

const refused = (accepted?: string) =>
  portal.http.get('/api/nothing').set(accepted === undefined ? {} : { 'accept-language': accepted });
const ENGLISH = 'The requested URL was not found on this server';
const GERMAN = 'Die angeforderte Adresse wurde auf diesem Server nicht gefunden';

test('refuses in English without Accept-Language and sets Content-Language', async () => {
  const { body, headers } = await refused();
  expect(Object.keys(body)).toEqual(['resultCode', 'resultName', 'message', 'requestId']);
  expect(body).toMatchObject({ resultName: 'ID_DOESNOT_EXIST', message: ENGLISH });
  expect(headers).toMatchObject({ 'content-language': 'en', vary: 'Accept-Language' });
});

test.each([
  ['de', GERMAN],
  ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', GERMAN],
  ['de-AT', GERMAN],
  ['DE', GERMAN],
  ['fr, de;q=0.3', GERMAN],
  ['en;q=0.5, de;q=0.8', GERMAN],
  ['*;q=0.1, de', GERMAN],
  ['en;q=0, de;q=0.1', GERMAN],
  ['en-GB, de;q=0.9', ENGLISH],
  ['en;q=0.8, de;q=0.5', ENGLISH],
  ['de;q=0', ENGLISH],
  ['*', ENGLISH],
  ['fr', ENGLISH],
  ['', ENGLISH],
  [';;,q=,', ENGLISH],
])('picks the language from Accept-Language: %s', async (accepted, message) => {
  const { body, headers } = await refused(accepted);
  expect(body).toMatchObject({ resultName: 'ID_DOESNOT_EXIST', message });
  expect(headers['content-language']).toBe(message === GERMAN ? 'de' : 'en');
});

test('translates the message of each form issue but not its path or code', async () => {
  const send = (accepted: string) =>
    portal.http
      .post('/api/user/signup')
      .set('accept-language', accepted)
      .send({ orgCode: 'acme', firstName: 'A'.repeat(300), lastName: 'B', email: 'no address' });
  const [{ body: german }, { body: english }] = [await send('de'), await send('en')];
  expect(english).toMatchObject({
    message: 'Some of the information is missing or not valid.',
    issues: [
      { path: 'firstName', message: 'At most 100 characters' },
      { path: 'email', message: 'Please enter a valid email address' },
    ],
  });
  expect(german).toEqual({
    ...english,
    requestId: expect.any(String),
    message: 'Einige Angaben fehlen oder sind ungültig.',
    issues: [
      { path: 'firstName', message: 'Höchstens 100 Zeichen' },
      { path: 'email', message: 'Bitte geben Sie eine gültige E-Mail-Adresse ein' },
    ],
  });
});

test('keeps an existing Vary header when adding Accept-Language', async () => {
  await using crossing = await testPortal({ config: { corsOrigins: ['https://client.test'] } });
  const { headers } = await crossing.http.get('/api/nothing').set('origin', 'https://client.test');
  expect(headers.vary).toBe('Origin, Accept-Language');
});

test('prefers the profile language to Accept-Language', async () => {
  const languages = async (accepted: string) => {
    const request = portal.http.post('/api/org/mails/nothing/try').auth(token, { type: 'bearer' });
    const { headers, body } = await request.set('accept-language', accepted);
    return [headers['content-language'], body.message];
  };
  const [english, german] = [
    ['en', 'Some of the information is missing or not valid.'],
    ['de', 'Einige Angaben fehlen oder sind ungültig.'],
  ];
  const choose = (language: Language | null) => portal.call(contract.setLanguage, { body: { language } }, { token });
  expect(await languages('de')).toEqual(german);
  await choose('en');
  expect(await languages('de')).toEqual(english);
  await choose('de');
  expect(await languages('en')).toEqual(german);
  await choose(null);
  expect(await languages('en')).toEqual(english);
});

test('translates response texts and sets Content-Language only on responses with texts', async () => {
  const read = (accepted: string) => portal.http.get('/api/lab/magic').set('accept-language', accepted);
  const [german, english] = [await read('de'), await read('en')];
  expect(german.headers).toMatchObject({ 'content-language': 'de', vary: 'Accept-Language' });
  const meanings = ({ body }: typeof german) => body.values.map(({ meaning }: { meaning: string }) => meaning);
  expect(meanings(english)).toContain('The portal has an internal error.');
  expect(meanings(german)).toContain('Im Portal tritt ein interner Fehler auf.');
  expect({ ...german.body, values: [] }).toEqual({ ...english.body, values: [] });
  const profile = await portal.http.get('/api/profile').auth(token, { type: 'bearer' }).set('accept-language', 'de');
  expect(profile.headers).not.toHaveProperty('content-language');
  expect(profile.headers).not.toHaveProperty('vary');
});

test("journals the response in the language sent, with a summary in the reader's language", async () => {
  await refused('de');
  const read = async (accepted: string) => {
    const { body } = await portal.http.get('/api/lab/journal?kind=http').set('accept-language', accepted);
    return body.entries.at(-1);
  };
  expect(await read('en')).toMatchObject({
    path: '/api/nothing',
    summary: expect.stringMatching(/^GET \/api\/nothing answered 404 /),
    responseBody: expect.objectContaining({ message: GERMAN }),
  });
  expect(await read('de')).toMatchObject({
    summary: expect.stringMatching(/^GET \/api\/nothing beantwortet mit 404 /),
  });
});

test('keeps OAuth errors in English', async () => {
  const { status, body } = await portal.http
    .post('/oidc/acme/token')
    .set('accept-language', 'de')
    .type('form')
    .send({});
  expect(status).toBe(401);
  expect(body).toEqual({ error: 'invalid_client', error_description: expect.stringMatching(/^[a-z ]+$/) });
});

test('keeps SCIM errors in English', async () => {
  const { status, body } = await portal.http.get('/scim/v2/acme/Users').set('accept-language', 'de');
  expect(status).toBe(401);
  expect(body.detail).toBe('The username, password or token is incorrect.');
});

describe('a live channel', () => {
  const open = (path: string, { protocols, language }: { protocols?: string[]; language?: string }) =>
    new WebSocket(portal.url.replace('http', 'ws') + path, protocols, {
      headers: language === undefined ? {} : { 'accept-language': language },
    });

  /** Returns the statement of the first challenge that the administrator's phone receives. */
  const firstMessage = (how: Parameters<typeof open>[1]) =>
    new Promise<string>((resolve) => {
      const socket = open(authenticatorLive.path, how);
      socket.on('open', () => socket.send(JSON.stringify(signedCallBody(portal, portal.device(ADMIN)))));
      socket.on('message', (data) => {
        resolve(JSON.parse(String(data)).challenges[0]?.statement);
        socket.close();
      });
    });

  test('refuses an upgrade in the Accept-Language language', async () => {
    const { response } = await refusedUpgrade({ language: 'de' });
    expect(response).toMatchObject({
      resultName: 'INVALID_REQUEST',
      message: 'Einige Angaben fehlen oder sind ungültig.',
    });
  });

  test('sends texts in the Accept-Language language unless the subprotocol sets another', async () => {
    const content = {
      configurationUrl: 'https://login.acme.test',
      clientId: 'portal',
      clientSecret: 'a secret',
      buttonLabel: 'Keep going',
      enabled: false,
    };
    const started = await portal.call(
      beginApproval,
      { body: { action: 'save-oidc-configuration', content } },
      { token },
    );
    expect(started.body.resultCode).toBe(0);
    const [english, german] = [
      'Turn off sign-in through an external provider',
      'Die Anmeldung über einen externen Provider ausschalten',
    ];
    expect(await firstMessage({})).toBe(english);
    expect(await firstMessage({ language: 'de' })).toBe(german);
    expect(await firstMessage({ protocols: [LIVE_PROTOCOL, languageAsSubprotocol('de')] })).toBe(german);
    expect(await firstMessage({ language: 'de', protocols: [LIVE_PROTOCOL, languageAsSubprotocol('en')] })).toBe(
      english,
    );
    expect(await firstMessage({ protocols: [LIVE_PROTOCOL, 'language.tlh'] })).toBe(english);
  });

  test('sends the close reason in German', async () => {
    const socket = open(authenticatorLive.path, { language: 'de' });
    const closed = new Promise((resolve) => socket.once('close', (code, reason) => resolve([code, String(reason)])));
    const stranger = { ...portal.device(ADMIN), privateKeyJwk: portal.device('user@acme.test').privateKeyJwk };
    socket.once('open', () => socket.send(JSON.stringify(signedCallBody(portal, stranger))));
    expect(await closed).toEqual([
      1008,
      expect.stringMatching(/^SIGNATURE_MISMATCH: Die Signatur stammt nicht vom Schlüssel/),
    ]);
  });

  const refusedUpgrade = (how: Parameters<typeof open>[1]) =>
    new Promise<{ response: unknown }>((resolve) => {
      open('/ws/login?loginId=', how).once('unexpected-response', (_request, answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => resolve({ response: JSON.parse(Buffer.concat(parts).toString()) }));
      });
    });
});

describe('pages without the client', () => {
  test.each([
    [
      'an OpenID error',
      '/oidc/acme/auth?client_id=nothing',
      'continue this sign-in',
      'Diese Anmeldung kann nicht fortgesetzt werden',
    ],
    ['the form for a device code', '/oidc/acme/device', 'Code that the device shows', 'Code, den das Gerät anzeigt'],
    ['a SAML error', '/saml/acme/nothing/sso', 'This application doesn', 'Diese Anwendung gibt es nicht.'],
    ['an ended logout', '/logout/acme/nothing', 'You can close this page.', 'Sie können diese Seite schließen.'],
  ])('display %s in the language that the browser prefers', async (_, path, english, german) => {
    const pageIn = (language: string) =>
      portal.http.get(path).set({ accept: 'text/html', 'accept-language': language });
    const [en, de] = [await pageIn('fr, en;q=0.9'), await pageIn('de-CH')];
    expect(en.text).toContain(english);
    expect(en.text).toContain('<html lang="en">');
    expect(en.headers).toMatchObject({ 'content-language': 'en', vary: expect.stringContaining('Accept-Language') });
    expect(de.text).toContain(german);
    expect(de.text).toContain('<html lang="de">');
    expect(de.text).not.toContain(english);
    expect(de.headers).toMatchObject({ 'content-language': 'de', vary: expect.stringContaining('Accept-Language') });
  });
});
