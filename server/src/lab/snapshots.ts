import { restoreDatabase, takeImage } from '@orchestrate/db';
import { contract, SNAPSHOTS_MAX, type Snapshot } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';
import type { SnapshotState } from '#platform/snapshot-state.ts';
import type { FaultList } from './faults/fault-list.ts';
import type { Policies } from './phones/policies.ts';
import { recordInLab } from './record-in-lab.ts';

interface KeptSnapshot extends Snapshot, SnapshotState {}

/** @throws Refusal ID_DOESNOT_EXIST naming the nearest */
export type RequireSnapshot = (snapshotId: string) => KeptSnapshot;

/** Stores and restores the whole state of a portal. */
export function snapshots(
  app: FastifyInstance,
  deps: Deps,
  { faults, policies, beginFrom }: { faults: FaultList; policies: Policies; beginFrom: (state: SnapshotState) => void },
): RequireSnapshot {
  const kept = new Map<string, KeptSnapshot>();

  const requireSnapshot: RequireSnapshot = (snapshotId) => {
    const found = kept.get(snapshotId);
    if (found) return found;
    const meant = nearest(snapshotId, [...kept.keys()]);
    const message = `There is no snapshot ${snapshotId}.${meant ? ` Did you mean ${meant}?` : ''}`;
    throw new Refusal('ID_DOESNOT_EXIST', { message });
  };

  implement(app, deps, contract.takeSnapshot, ({ body, actor }) => {
    if (kept.size >= SNAPSHOTS_MAX) {
      const message = `There are ${SNAPSHOTS_MAX} snapshots already. Delete one first.`;
      throw new Refusal('INVALID_REQUEST', { status: 409, message });
    }
    const snapshotId = deps.random.id();
    const image = takeImage(deps.db);
    const name = body?.name ?? snapshotId;
    const taken = { snapshotId, name, takenAt: deps.clock.iso(), bytes: image.length };
    kept.set(snapshotId, {
      ...taken,
      image,
      clock: deps.clock.setting(),
      faults: faults.waiting(),
      socketFaults: deps.socketFaults.waiting(),
      policies: policies.kept(),
    });
    recordInLab(deps, actor, 'lab.snapshot-taken', { snapshotId, name });
    return taken;
  });

  implement(app, deps, contract.listSnapshots, () => ({
    snapshots: [...kept.values()].map(({ snapshotId, name, takenAt, bytes }) => ({ snapshotId, name, takenAt, bytes })),
  }));

  implement(app, deps, contract.restoreSnapshot, ({ params: { snapshotId }, actor }) => {
    const snapshot = requireSnapshot(snapshotId);
    deps.world.end(() => restoreDatabase(deps.db, snapshot.image));
    beginFrom(snapshot);
    recordInLab(deps, actor, 'lab.snapshot-restored', { snapshotId, name: snapshot.name });
    return {};
  });

  implement(app, deps, contract.dropSnapshot, ({ params: { snapshotId }, actor }) => {
    const { name } = requireSnapshot(snapshotId);
    kept.delete(snapshotId);
    recordInLab(deps, actor, 'lab.snapshot-dropped', { snapshotId, name });
    return {};
  });

  return requireSnapshot;
}
