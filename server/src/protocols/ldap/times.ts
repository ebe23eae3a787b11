/** Formats a time as GeneralizedTime (RFC 4517 §3.3.13). */
export const formatGeneralizedTime = (time: number): string => new Date(time).toISOString().replace(/[-:T]|\.\d+/g, '');

const TIME =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?<hour>\d\d)((?<minute>\d\d)(?<second>\d\d)?)?([.,](?<fraction>\d{1,9}))?(Z|(?<sign>[+-])(?<zoneHour>\d\d)(?<zoneMinute>\d\d)?)$/;

/** Parses a GeneralizedTime. @returns milliseconds since the epoch, or undefined if the text is invalid */
export function parseGeneralizedTime(text: string): number | undefined {
  const { year, month, day, hour, minute, second, fraction, sign, zoneHour, zoneMinute } =
    TIME.exec(text)?.groups ?? {};
  const start = Date.parse(`${year}-${month}-${day}T${hour}:${minute ?? '00'}:${second ?? '00'}Z`);
  if (Number.isNaN(start)) return undefined;
  const unit = second === undefined ? (minute === undefined ? 3_600_000 : 60_000) : 1_000;
  const zone = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60_000;
  return start + Number(`0.${fraction ?? 0}`) * unit - (sign === '-' ? -zone : zone);
}
