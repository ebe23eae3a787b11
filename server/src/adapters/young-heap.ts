import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes; V8 would go to eight times as much, and keep it ever after. */
const ENOUGH = 8_000_000;

/** How many runs of work have a young heap that is large enough. */
let settled = 0;

/**
 * For work that makes much garbage for a long time: keeps V8 from doubling the young heap again and again, to spare a
 * little copying. To be asked now and then while the work goes on; to be ended in any case.
 */
export function boundYoungHeap(): { check(): void; end(): void } {
  let isSettled = false;
  return {
    check() {
      if (isSettled || youngHeap() < ENOUGH) return;
      isSettled = true;
      if (settled++ === 0) setFlagsFromString('--semi-space-growth-factor=1');
    },
    end() {
      if (isSettled && --settled === 0) setFlagsFromString('--semi-space-growth-factor=2');
    },
  };
}

const youngHeap = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
