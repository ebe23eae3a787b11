// Order matters because user agents also name the browsers they are derived from.
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

/** Returns the operating system in a user agent, e.g. 'Android', or undefined if it is unknown. */
export const systemOf = (userAgent: string): string | undefined => firstMatch(SYSTEMS, userAgent);

/**
 * Describes a user agent in plain words, e.g. 'Chrome on Linux'. For anything but a browser, returns the first word,
 * e.g. 'curl'.
 */
export function describeBrowser(userAgent: string): string {
  const browser = firstMatch(BROWSERS, userAgent) ?? /^[\w.-]{1,30}/.exec(userAgent)?.[0];
  const system = systemOf(userAgent);
  if (!browser) return 'Unknown browser';
  return system ? `${browser} on ${system}` : browser;
}
