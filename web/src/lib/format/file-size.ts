const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'];

/** `50 MB`, `1.5 KB`, `0 Bytes`: in units of 1024, with at most one decimal. */
export function formatFileSize(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const amount = bytes / 1024 ** unit;
  return `${Number(amount.toFixed(1))} ${UNITS[unit]}`;
}
