import type { ForeignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import type { TestPortal } from '../test-portal.ts';
import { applicationWrites } from './applications.ts';
import { deviceWrites } from './devices.ts';
import { directoryWrites } from './directories.ts';
import { driverOf, type Write } from './driver.ts';
import { editWrites } from './edits.ts';
import { labWrites } from './lab.ts';
import { peopleWrites } from './people.ts';
import { settingsWrites } from './settings.ts';
import { visitorWrites } from './visitors.ts';

/**
 * Returns every write the portal supports, made through the public interface.
 * @param foreign provider that knows the portal's callback address
 */
export function writesOf(portal: TestPortal, foreign: ForeignProvider): Write[] {
  const driver = driverOf(portal);
  return [
    ...editWrites(driver),
    ...settingsWrites(driver, foreign),
    ...applicationWrites(driver),
    ...peopleWrites(driver),
    ...deviceWrites(driver),
    ...visitorWrites(driver, foreign),
    ...labWrites(driver),
    ...directoryWrites(driver),
  ];
}
