/**
 * What the machine's own clock says, in milliseconds since the epoch: for libraries that ask it themselves, so that the
 * times they are given can be told in their terms.
 */
export const machineNow = (): number => Date.now();

/** Milliseconds of a clock that nobody sets, for how long something takes on the wire. */
export const machineTicks = (): number => performance.now();
