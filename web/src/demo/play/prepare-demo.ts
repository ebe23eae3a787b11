import {
  DEFAULT_BRAND,
  listSnapshots,
  readWorld,
  takeSnapshot,
  type VirtualDevice,
  virtualDevices,
} from '@orchestrate/shared';
import { call } from '#lib/api/call.ts';
import { STAGE_SEED } from '../world/demo-world.ts';

export interface PreparedStage {
  orgCode: string;
  name: string;
  /** `#rrggbb`. */
  colour: string;
  /** To which a reset returns. */
  snapshotId: string;
  devices: readonly VirtualDevice[];
}

const SNAPSHOT = 'The stage';

/**
 * What the stage plays with; null where this portal was not started for one: nothing is touched there. The snapshot is
 * taken by the first visit.
 * @throws ApiRefusal
 */
export async function prepareStage(): Promise<PreparedStage | null> {
  const { world } = await call(readWorld, {});
  const [organisation] = world.organisations ?? [];
  if (world.randomSeed !== STAGE_SEED || !organisation) return null;
  const { code, name = code, branding } = organisation;
  const { snapshots } = await call(listSnapshots, {});
  const taken = snapshots.find((snapshot) => snapshot.name === SNAPSHOT);
  const { snapshotId } = taken ?? (await call(takeSnapshot, { body: { name: SNAPSHOT } }));
  const { devices } = await call(virtualDevices, { query: { orgCode: code } });
  return { orgCode: code, name, colour: branding?.color ?? DEFAULT_BRAND, snapshotId, devices };
}
