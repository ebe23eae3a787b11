import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Lifetime, runDetached } from './lifetime.ts';
import * as organisationRepo from './repos/settings/organisations.ts';
import { memoryDb } from './testing.ts';

const NOW = Date.parse('2026-03-02T09:30:00.000Z');
const ended = new Error('ended');

test('rejects queries, even cached ones, once the lifetime has ended during an await', async () => {
  const { db, close } = memoryDb({ now: NOW });
  const lifetime = new Lifetime();
  const work = lifetime.run(async () => {
    const found = organisationRepo.findOrganisation(db, 'acme');
    await setImmediate();
    expect(() => organisationRepo.findOrganisation(db, 'acme')).toThrow(ended);
    expect(() => db.transaction((tx) => organisationRepo.listOrgCodes(tx))).toThrow(ended);
    expect(runDetached(() => organisationRepo.findOrganisation(db, 'acme'))).toEqual(found);
  });
  lifetime.end(ended);
  await work;
  expect(organisationRepo.findOrganisation(db, 'acme')).toMatchObject({ orgCode: 'acme' });
  close();
});

test('rolls back a transaction if its lifetime ends before the commit', () => {
  const { db, close } = memoryDb({ now: NOW });
  const lifetime = new Lifetime();
  const rename = () =>
    db.transaction((tx) => {
      tx.run("UPDATE organisations SET name = 'Late' WHERE orgCode = 'acme'");
      lifetime.end(ended);
      organisationRepo.listOrgCodes(tx);
    });
  expect(() => lifetime.run(rename)).toThrow(ended);
  expect(organisationRepo.findOrganisation(db, 'acme')?.name).not.toBe('Late');
  close();
});
