import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of the young heap; V8 would grow it to eight times as much, and keep it that way. */
const ENOUGH = 8_000_000;
/** Bytes of uncollected buffers; V8 waits for several times as much. */
const UNCOLLECTED = 8_000_000;

/** How many runs of work currently keep the young heap from growing further. */
let settled = 0;
let collect: NodeJS.GCFunction | undefined;

/**
 * For work that produces much garbage over a long time. Stops V8 from doubling the young heap repeatedly to save a
 * little copying, and makes it collect a file's buffers that have waited in a queue long enough to count as old. Call
 * `check` now and then during the work, and `end` in any case.
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
      // Collected memory is returned in the background, a moment later.
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

/**
 * V8 exposes its collector to contexts created while the flag is set: no flag is needed at start, and nobody else gets
 * it.
 */
function collector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const given: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return given;
}
