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

/** Returns the value below which a share of the values lies, interpolated between the two nearest ones. */
function quantile(share: number, values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

/** Returns the first and third quartile: half of the values lie between them. */
export const quartilesOf = (values: readonly number[]): [low: number, high: number] => [
  quantile(0.25, values),
  quantile(0.75, values),
];

/** Returns the median, which is robust against noise on the machine. */
export const median = (values: readonly number[]): number => quantile(0.5, values);
