import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { deleteDevice, type JournalEntry, login, readJournal, world } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countCompletedSteps } from '../scenes/scene.ts';
import { deniedAttempt, lostPhone } from '../scenes/scenes.ts';
import { castDeviceId, castEmail, castSuid, demoWorld } from '../world/demo-world.ts';
import { describeEntries } from './stream-panel.tsx';

const NOW = new Date('2026-11-20T09:40:00');
const ORG = 'harbour';

let portal: TestPortal;
beforeEach(async () => {
  const seed = world.parse(demoWorld({ name: 'Harbour', colour: '#0F766E' }, NOW));
  portal = await testPortal({ seed, now: NOW.getTime() });
});
afterEach(() => portal.close());

const journal = async (): Promise<JournalEntry[]> =>
  (await portal.call(readJournal, { query: { limit: 500 } })).body.entries;
const sentenceTexts = async () => describeEntries(await journal()).map(({ source, text }) => `${source} ${text}`);

test('describes a denied attempt in a few sentences, and completes its scene', async () => {
  const email = castEmail(ORG, 'employee');
  await portal.call(login, { body: { orgCode: ORG, mode: 'PUSH', primaryAttr: email } });
  const phone = portal.device(email);
  const [challenge] = await portal.authenticator.pending(phone);
  await portal.authenticator.respond(phone, {
    challengeId: challenge?.challengeId ?? '',
    decision: 'deny',
    reason: 'not-me',
  });
  expect(await sentenceTexts()).toEqual(
    expect.arrayContaining([
      'browser sent a request to a phone',
      'phone denied the sign-in',
      'mail warns about a denied attempt',
    ]),
  );
  expect(countCompletedSteps(deniedAttempt.steps, await journal())).toBe(deniedAttempt.steps.length);
});

test('completes the lost-phone scene whether the email or the refusal comes first', async () => {
  const email = castEmail(ORG, 'traveller');
  const phone = portal.device(email);
  const { token } = await portal.signIn(castEmail(ORG, 'agent'));
  await portal.call(
    deleteDevice,
    { body: { zid: castDeviceId('traveller'), suid: castSuid('traveller'), action: 'LOST_DEVICE' } },
    { token },
  );
  expect(countCompletedSteps(lostPhone.steps, await journal())).toBe(1);
  for (const _ of ['once', 'twice']) {
    await expect(portal.authenticator.pending(phone)).rejects.toMatchObject({ resultName: 'DEVICE_NOT_TRUSTED' });
  }
  const entries = await journal();
  expect(countCompletedSteps(lostPhone.steps, entries)).toBe(lostPhone.steps.length);
  expect(countCompletedSteps(lostPhone.steps, entries.toReversed())).toBe(lostPhone.steps.length);
  const sentences = await sentenceTexts();
  expect(sentences.filter((sentence) => sentence.includes('rejected'))).toHaveLength(1);
  expect(sentences).toContain('portal removed a device');
});
