import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { deleteDevice, type JournalEntry, login, readJournal, world } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stepsDone } from '../scenes/scene.ts';
import { deniedAttempt, lostPhone } from '../scenes/scenes.ts';
import { castDevice, castEmail, castId, stageWorld } from '../world/demo-world.ts';
import { sentencesOf } from './stream-panel.tsx';

const NOW = new Date('2026-11-20T09:40:00');
const ORG = 'harbour';

let portal: TestPortal;
beforeEach(async () => {
  const seed = world.parse(stageWorld({ name: 'Harbour', colour: '#0F766E' }, NOW));
  portal = await testPortal({ seed, now: NOW.getTime() });
});
afterEach(() => portal.close());

const happened = async (): Promise<JournalEntry[]> =>
  (await portal.call(readJournal, { query: { limit: 500 } })).body.entries;
const told = async () => sentencesOf(await happened()).map(({ place, text }) => `${place} ${text}`);

test('a denied attempt is told in a few sentences, and ends its scene', async () => {
  const email = castEmail(ORG, 'employee');
  await portal.call(login, { body: { orgCode: ORG, mode: 'PUSH', primaryAttr: email } });
  const phone = portal.device(email);
  const [challenge] = await portal.authenticator.pending(phone);
  await portal.authenticator.respond(phone, {
    challengeId: challenge?.challengeId ?? '',
    decision: 'deny',
    reason: 'not-me',
  });
  expect(await told()).toEqual(
    expect.arrayContaining([
      'browser sent a request to a phone',
      'phone denied the sign-in',
      'mail warns of an attempt that was denied',
    ]),
  );
  expect(stepsDone(deniedAttempt.steps, await happened())).toBe(deniedAttempt.steps.length);
});

test('a lost phone ends its scene whether the mail or the refusal comes first, and is turned away in one sentence', async () => {
  const email = castEmail(ORG, 'traveller');
  const phone = portal.device(email);
  const { token } = await portal.signIn(castEmail(ORG, 'agent'));
  await portal.call(
    deleteDevice,
    { body: { zid: castDevice('traveller'), suid: castId('traveller'), action: 'LOST_DEVICE' } },
    { token },
  );
  expect(stepsDone(lostPhone.steps, await happened())).toBe(1);
  for (const _ of ['once', 'twice']) {
    await expect(portal.authenticator.pending(phone)).rejects.toMatchObject({ resultName: 'DEVICE_NOT_TRUSTED' });
  }
  const entries = await happened();
  expect(stepsDone(lostPhone.steps, entries)).toBe(lostPhone.steps.length);
  expect(stepsDone(lostPhone.steps, entries.toReversed())).toBe(lostPhone.steps.length);
  const sentences = await told();
  expect(sentences.filter((sentence) => sentence.includes('turned away'))).toHaveLength(1);
  expect(sentences).toContain('portal took a device out of service');
});
