import { restoreDatabase, serialiseDatabase } from '@orchestrate/db';
import { contract, SNAPSHOTS_MAX, type Snapshot } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';
import type { SnapshotState } from '#platform/snapshot-state.ts';
import type { FaultList } from './faults/fault-list.ts';
import type { Policies } from './phones/policies.ts';
import { recordLabAction } from './record-in-lab.ts';

interface KeptSnapshot extends Snapshot, SnapshotState {}

/**
 * Returns a snapshot by its ID.
 * @throws Refusal ID_DOESNOT_EXIST with the closest known ID
 */
export type RequireSnapshot = (snapshotId: string) => KeptSnapshot;

/** Takes and restores snapshots of the portal's whole state. */
export function snapshots(
  app: FastifyInstance,
  deps: Deps,
  { faults, policies, beginFrom }: { faults: FaultList; policies: Policies; beginFrom: (state: SnapshotState) => void },
): RequireSnapshot {
  const snapshots = new Map<string, KeptSnapshot>();

  const requireSnapshot: RequireSnapshot = (snapshotId) => {
    const found = snapshots.get(snapshotId);
    if (found) return found;
    const meant = nearest(snapshotId, [...snapshots.keys()]);
    const message = `There is no snapshot ${snapshotId}.${meant ? ` Did you mean ${meant}?` : ''}`;
    throw new Refusal('ID_DOESNOT_EXIST', { message });
  };

  implement(app, deps, contract.takeSnapshot, ({ body, actor }) => {
    if (snapshots.size >= SNAPSHOTS_MAX) {
      const message = `There are already ${SNAPSHOTS_MAX} snapshots. Delete one first.`;
      throw new Refusal('INVALID_REQUEST', { status: 409, message });
    }
    const snapshotId = deps.random.id();
    const image = serialiseDatabase(deps.db);
    const name = body?.name ?? snapshotId;
    const taken = { snapshotId, name, takenAt: deps.clock.iso(), bytes: image.length };
    snapshots.set(snapshotId, {
      ...taken,
      image,
      clock: deps.clock.setting(),
      faults: faults.waiting(),
      socketFaults: deps.socketFaults.waiting(),
      webhookFaults: deps.webhookFaults.waiting(),
      outboxFaults: deps.outboxFaults.waiting(),
      policies: policies.kept(),
    });
    recordLabAction(deps, actor, 'lab.snapshot-taken', { snapshotId, name });
    return taken;
  });

  implement(app, deps, contract.listSnapshots, () => ({
    snapshots: [...snapshots.values()].map(({ snapshotId, name, takenAt, bytes }) => ({
      snapshotId,
      name,
      takenAt,
      bytes,
    })),
  }));

  implement(app, deps, contract.restoreSnapshot, ({ params: { snapshotId }, actor }) => {
    const snapshot = requireSnapshot(snapshotId);
    deps.world.end(() => restoreDatabase(deps.db, snapshot.image));
    beginFrom(snapshot);
    recordLabAction(deps, actor, 'lab.snapshot-restored', { snapshotId, name: snapshot.name });
    return {};
  });

  implement(app, deps, contract.dropSnapshot, ({ params: { snapshotId }, actor }) => {
    const { name } = requireSnapshot(snapshotId);
    snapshots.delete(snapshotId);
    recordLabAction(deps, actor, 'lab.snapshot-dropped', { snapshotId, name });
    return {};
  });

  return requireSnapshot;
}
