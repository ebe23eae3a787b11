/** A duration, in milliseconds. */
export interface Duration {
  wall: number;
  /** Processor time of the process. Unlike wall-clock time, processor time hardly depends on other load. */
  cpu: number;
}

/** Measures how long work in this process takes. */
export async function measureDuration<Result>(work: () => Result | Promise<Result>): Promise<[Result, Duration]> {
  const before = process.cpuUsage();
  const began = performance.now();
  const result = await work();
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return [result, { wall, cpu: (user + system) / 1_000 }];
}

export const medianDuration = (durations: readonly Duration[]): Duration => ({
  wall: median(durations.map(({ wall }) => wall)),
  cpu: median(durations.map(({ cpu }) => cpu)),
});

const inMs = (milliseconds: number): string => milliseconds.toFixed(milliseconds < 100 ? 1 : 0);

export const formatDuration = ({ wall, cpu }: Duration): string => `${inMs(cpu)} ms (${inMs(wall)} wall-clock)`;

/** Returns the median, which is robust against noise on the machine. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}
