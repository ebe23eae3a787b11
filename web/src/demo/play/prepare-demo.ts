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
  /** `#rrggbb`. */
  colour: string;
  /** The snapshot that a reset restores. */
  snapshotId: string;
  devices: readonly VirtualDevice[];
}

const SNAPSHOT = 'Demo';

/**
 * Returns the demo's data, and creates its snapshot on the first visit. Returns null, without changes, in a portal that
 * wasn't started for a demo.
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
