import {
  DEFAULT_BRAND,
  listSnapshots,
  readWorld,
  takeSnapshot,
  type VirtualDevice,
  virtualDevices,
} from '@orchestrate/shared';
import { call } from '#lib/api/call.ts';
import { DEMO_SEED } from '../world/demo-world.ts';

export interface PreparedDemo {
  orgCode: string;
  name: string;
  /** Brand colour, as `#rrggbb`. */
  colour: string;
  /** Snapshot to restore on reset. */
  snapshotId: string;
  devices: readonly VirtualDevice[];
}

const SNAPSHOT = 'Demo';

/**
 * Returns the demo's data. Creates its snapshot on the first visit. In a portal that wasn't started for a demo,
 * returns null and doesn't modify any data.
 * @throws ApiRefusal
 */
export async function prepareDemo(): Promise<PreparedDemo | null> {
  const { world } = await call(readWorld, {});
  const [organisation] = world.organisations ?? [];
  if (world.randomSeed !== DEMO_SEED || !organisation) return null;
  const { code, name = code, branding } = organisation;
  const { snapshots } = await call(listSnapshots, {});
  const taken = snapshots.find((snapshot) => snapshot.name === SNAPSHOT);
  const { snapshotId } = taken ?? (await call(takeSnapshot, { body: { name: SNAPSHOT } }));
  const { devices } = await call(virtualDevices, { query: { orgCode: code } });
  return { orgCode: code, name, colour: branding?.color ?? DEFAULT_BRAND, snapshotId, devices };
}
