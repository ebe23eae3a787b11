import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { later } from '#platform/times.ts';

export interface Progress {
  state: 'waiting' | 'reading' | 'done' | 'failed';
  /** 0, or the result code of the failure. */
  resultCode: number;
  rowsDone: number;
  bytesDone: number;
  bytesTotal: number;
  invited: number;
}

/** Identifies an upload by its owner and ID. */
export interface UploadKey {
  suid: string;
  uploadId: string;
}

/**
 * Progress of running and recently finished uploads. Finished uploads are kept, because late subscribers must also
 * get the result.
 */
export interface UploadProgress {
  of(name: UploadKey): Progress;
  set(name: UploadKey, progress: Progress): void;
}

const WAITING: Progress = {
  state: 'waiting',
  resultCode: 0,
  rowsDone: 0,
  bytesDone: 0,
  bytesTotal: 0,
  invited: 0,
};

/** Maximum number of progress messages per upload, whatever its size. */
const STEPS = 50;
const RETENTION_MS = 5 * MINUTE;

export const uploadTopic = ({ suid, uploadId }: UploadKey): string => TOPIC.upload(`${suid}/${uploadId}`);

export function createUploadProgress({ bus, clock }: Pick<Deps, 'bus' | 'clock'>): UploadProgress {
  const uploads = new Map<string, { progress: Progress; forget?: () => void }>();

  return {
    of: (name) => uploads.get(uploadTopic(name))?.progress ?? WAITING,
    set(name, progress) {
      const key = uploadTopic(name);
      const known = uploads.get(key);
      known?.forget?.();
      const hasEnded = progress.state === 'done' || progress.state === 'failed';
      const forget = hasEnded ? clock.at(later(clock.now(), RETENTION_MS), () => uploads.delete(key)) : undefined;
      const isStep = hasEnded || stepOf(progress) !== stepOf(known?.progress ?? WAITING);
      // New subscribers don't get unpublished progress, because every message they receive must be newer than the
      // last.
      uploads.set(key, { progress: isStep || !known ? progress : known.progress, forget });
      if (isStep) bus.changed(key);
    },
  };
}

const stepOf = ({ bytesDone, bytesTotal, state }: Progress): string =>
  `${state} ${bytesTotal > 0 ? Math.floor((bytesDone / bytesTotal) * STEPS) : 0}`;

/** Copies the bytes, because a substring would keep its whole source in memory, such as a block of the file. */
export const copyText = (text: string): string => Buffer.from(text).toString();
