/**
 * The machine's own clock, in milliseconds since the epoch: for libraries that read it themselves and so must be given
 * times in its terms.
 */
export const machineNow = (): number => Date.now();

/** Milliseconds of a clock that nobody sets, for measuring how long something takes on the wire. */
export const machineTicks = (): number => performance.now();
