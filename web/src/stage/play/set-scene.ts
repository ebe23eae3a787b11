import { makeSession, readJournal, restoreSnapshot, STORED_SESSION } from '@orchestrate/shared';
import { deviceOfVirtual } from '@orchestrate/shared/authenticator';
import { addAccount, readPhone, removeAccount } from '../../authenticator/phone-storage.ts';
import { call } from '../../lib/api/call.ts';
import { writeStored } from '../../lib/browser/stored.ts';
import type { Scene } from '../scenes/scene.ts';
import { castDevice, castEmail } from '../world/stage-world.ts';
import type { PreparedStage } from './prepare-stage.ts';

/**
 * Everything as it was when the stage was opened, and then what the scene begins with: who is signed in, and whose
 * phone it is. Browser and phone must be closed meanwhile: they share their storage with this page.
 * @returns the number of the journal's last entry before the scene
 */
export async function setScene(stage: PreparedStage, scene: Scene): Promise<number> {
  await call(restoreSnapshot, { params: { snapshotId: stage.snapshotId } });
  for (const { zid } of readPhone().accounts) removeAccount(zid);
  writeStored(STORED_SESSION.session, null);
  writeStored(STORED_SESSION.organisation, stage.orgCode);
  writeStored('orchestrate.remembered', null);
  const zid = scene.phoneOf && castDevice(scene.phoneOf);
  const device = stage.devices.find((virtual) => virtual.zid === zid);
  const account = device && deviceOfVirtual(device);
  if (account) addAccount(account);
  if (scene.browserAs) {
    const email = castEmail(stage.orgCode, scene.browserAs);
    const { storageState } = await call(makeSession, { body: { email, org: stage.orgCode } });
    for (const { name, value } of storageState.origins[0]?.localStorage ?? []) writeStored(name, value);
  }
  const { last } = await call(readJournal, { query: { limit: 1 } });
  return last;
}
