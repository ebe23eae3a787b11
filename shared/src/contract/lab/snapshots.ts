import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, id } from '../../fields.ts';

const lab = { who: 'lab' } as const;

/** Maximum number of snapshots. */
export const SNAPSHOTS_MAX = 20;

const snapshot = z.object({
  snapshotId: z.string(),
  name: z.string(),
  /** The portal's time when the snapshot was taken. */
  takenAt: z.string(),
  bytes: z.number().int(),
});
export type Snapshot = z.output<typeof snapshot>;

const params = z.object({
  /** ID of the snapshot. */
  snapshotId: id,
});

export const takeSnapshot = endpoint({
  method: 'POST',
  path: '/lab/snapshots',
  area: 'Lab',
  summary: 'Take a snapshot of the data, including keys, clock, faults and policies',
  access: lab,
  body: z
    .strictObject({
      /** Human-readable name. Default: the snapshot's ID. */
      name: displayText(60).optional(),
    })
    .optional(),
  reply: snapshot,
  refusesWith: { 409: 'INVALID_REQUEST' },
  events: ['lab.snapshot-taken'],
});

export const listSnapshots = endpoint({
  method: 'GET',
  path: '/lab/snapshots',
  area: 'Lab',
  summary: 'List the snapshots, oldest first',
  access: lab,
  reply: z.object({ snapshots: z.array(snapshot) }),
});

export const restoreSnapshot = endpoint({
  method: 'POST',
  path: '/lab/snapshots/:snapshotId/restore',
  area: 'Lab',
  summary: 'Restore a snapshot',
  access: lab,
  params,
  reply: z.object({}),
  events: ['lab.snapshot-restored'],
});

export const dropSnapshot = endpoint({
  method: 'DELETE',
  path: '/lab/snapshots/:snapshotId',
  area: 'Lab',
  summary: 'Delete a snapshot',
  access: lab,
  params,
  reply: z.object({}),
  events: ['lab.snapshot-dropped'],
});
