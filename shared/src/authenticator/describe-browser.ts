// The order matters: a browser's user agent also names those it descends from.
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstMatch = (names: [RegExp, string][], userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** The system that a user agent names, e.g. 'Android'; undefined where it names none that we know. */
export const systemOf = (userAgent: string): string | undefined => firstMatch(SYSTEMS, userAgent);

/** A user agent in plain words: 'Chrome on Linux'; its first word where it isn't a browser, e.g. 'curl'. */
export function describeBrowser(userAgent: string): string {
  const browser = firstMatch(BROWSERS, userAgent) ?? /^[\w.-]{1,30}/.exec(userAgent)?.[0];
  const system = systemOf(userAgent);
  if (!browser) return 'Unknown browser';
  return system ? `${browser} on ${system}` : browser;
}
