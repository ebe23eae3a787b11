import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of the young heap; V8 would go to eight times as much, and keep it ever after. */
const ENOUGH = 8_000_000;
/** Bytes of buffers that nobody has collected yet; V8 waits for several times as much. */
const UNCOLLECTED = 8_000_000;

/** How many runs of work have a young heap that is large enough. */
let settled = 0;
let collect: NodeJS.GCFunction | undefined;

/**
 * For work that makes much garbage for a long time. Keeps V8 from doubling the young heap again and again, to spare a
 * little copying; and has it collect the buffers of a file that wait in a queue for so long that they count as old. To be
 * asked now and then while the work goes on; to be ended in any case.
 */
export function boundHeap(): { check(): void; end(): void } {
  let isSettled = false;
  let kept = bufferBytes();

  function settle(): void {
    if (isSettled || youngHeap() < ENOUGH) return;
    isSettled = true;
    if (settled++ === 0) setFlagsFromString('--semi-space-growth-factor=1');
  }

  return {
    check() {
      settle();
      const held = bufferBytes();
      // What was collected is given back in the background, a moment later.
      kept = Math.min(kept, held);
      if (held - kept < UNCOLLECTED) return;
      collect ??= collector();
      collect();
      kept = held;
    },
    end() {
      if (isSettled && --settled === 0) setFlagsFromString('--semi-space-growth-factor=2');
    },
  };
}

const bufferBytes = (): number => process.memoryUsage().arrayBuffers;

const youngHeap = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;

/** V8 gives its collector to contexts that are made while it is asked to: no flag at start, and nobody else has it. */
function collector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const given: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return given;
}
