import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { later } from '#platform/times.ts';

/** Progress of an upload. */
export interface Progress {
  state: 'waiting' | 'reading' | 'done' | 'failed';
  /** 0, or the reason of the failure. */
  resultCode: number;
  rowsDone: number;
  bytesDone: number;
  bytesTotal: number;
  invited: number;
}

/** Owner of an upload, and its id. */
export interface UploadName {
  suid: string;
  uploadId: string;
}

/** Uploads in progress and recently finished ones, so that late subscribers still get the result. */
export interface UploadProgress {
  of(name: UploadName): Progress;
  set(name: UploadName, progress: Progress): void;
}

const WAITING: Progress = {
  state: 'waiting',
  resultCode: 0,
  rowsDone: 0,
  bytesDone: 0,
  bytesTotal: 0,
  invited: 0,
};

/** Maximum number of progress messages for an upload, whatever its size. */
const STEPS = 50;
const KEPT_MS = 5 * MINUTE;

export const topicOf = ({ suid, uploadId }: UploadName): string => TOPIC.upload(`${suid}/${uploadId}`);

export function createUploadProgress({ bus, clock }: Pick<Deps, 'bus' | 'clock'>): UploadProgress {
  const uploads = new Map<string, { progress: Progress; forget?: () => void }>();

  return {
    of: (name) => uploads.get(topicOf(name))?.progress ?? WAITING,
    set(name, progress) {
      const key = topicOf(name);
      const known = uploads.get(key);
      known?.forget?.();
      const hasEnded = progress.state === 'done' || progress.state === 'failed';
      const forget = hasEnded ? clock.at(later(clock.now(), KEPT_MS), () => uploads.delete(key)) : undefined;
      const isStep = hasEnded || stepOf(progress) !== stepOf(known?.progress ?? WAITING);
      // Unpublished progress isn't returned to new subscribers either: every message must be newer than the last.
      uploads.set(key, { progress: isStep || !known ? progress : known.progress, forget });
      if (isStep) bus.changed(key);
    },
  };
}

const stepOf = ({ bytesDone, bytesTotal, state }: Progress): string =>
  `${state} ${bytesTotal > 0 ? Math.floor((bytesDone / bytesTotal) * STEPS) : 0}`;

/** Copies the bytes, because a substring keeps its whole original in memory, here a block of the file. */
export const copyText = (text: string): string => Buffer.from(text).toString();
