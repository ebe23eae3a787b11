import { t } from '@lingui/core/macro';
import { makeSpace } from '@orchestrate/shared';
import { startOfHour } from 'date-fns';
import { today } from '../../adapters/clock.ts';
import { call } from '../../lib/api/call.ts';
import { labToken } from '../../lib/session/lab-token.ts';
import { stagePaths } from '../stage-paths.ts';
import type { Company } from '../world/company.ts';
import { stageWorld } from '../world/stage-world.ts';

/**
 * Starts a portal of its own for this company. @returns the address of its stage
 * @throws ApiRefusal where no space can be started
 */
export async function openStage(company: Company): Promise<string> {
  // The rows of a world are relative to the full hour: counted back from now, the first of the day would be of
  // yesterday.
  const seed = stageWorld(company, startOfHour(today()));
  const { url } = await call(makeSpace, { body: { seed, name: t`Stage: ${company.name}`.slice(0, 60) } });
  const address = new URL(stagePaths.stage, url);
  // Where another stage can be opened once this one has ended.
  address.searchParams.set('from', window.location.origin);
  const token = labToken();
  // Behind the `#`, as the start prints it: it is never sent, and storage is not shared between two ports.
  if (token) address.hash = new URLSearchParams({ 'lab-token': token }).toString();
  return address.href;
}
