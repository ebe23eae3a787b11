/** How far an upload is, for people. */
export interface UploadPace {
  /** 0 to 1; undefined before the portal's first report. */
  fraction: number | undefined;
  rowsDone: number;
  /** Rows per second since the upload began; undefined while it would be a guess. */
  rowsPerSecond: number | undefined;
  /** Estimated from the bytes that are left. */
  rowsLeft: number | undefined;
  secondsLeft: number | undefined;
}

/** An earlier rate says more about the start than about the upload. */
const FIRST_MS = 500;

/** @param elapsedMs since the upload began, by this browser's clock: the portal's clock may be stopped. */
export function uploadPace(
  told: { rowsDone: number; bytesDone: number; bytesTotal: number } | undefined,
  elapsedMs: number,
): UploadPace {
  if (!told || told.bytesTotal === 0 || told.bytesDone === 0)
    return { fraction: undefined, rowsDone: 0, rowsPerSecond: undefined, rowsLeft: undefined, secondsLeft: undefined };
  const { rowsDone, bytesDone, bytesTotal } = told;
  const bytesLeft = Math.max(0, bytesTotal - bytesDone);
  const isSteady = elapsedMs >= FIRST_MS;
  return {
    fraction: Math.min(1, bytesDone / bytesTotal),
    rowsDone,
    rowsPerSecond: isSteady ? Math.round((rowsDone / elapsedMs) * 1_000) : undefined,
    rowsLeft: Math.round((rowsDone * bytesLeft) / bytesDone),
    secondsLeft: isSteady ? Math.ceil(((elapsedMs / bytesDone) * bytesLeft) / 1_000) : undefined,
  };
}
