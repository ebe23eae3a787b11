/** Minimum length of a secret in characters. RFC 2865 §3 recommends at least 16 octets. */
const STRONG_LENGTH = 16;
const DISTINCT_MIN = 6;
/** Minimum number of letters and digits left after removing common words and repeated substrings. */
const REMAINDER_MIN = 8;
/** Minimum length of a repeated substring. Shorter substrings repeat by chance. */
const REPEATED_MIN = 4;

/** Words that password crackers try first. Where words overlap, the longest comes first. */
const WORDS = [
  'sharedsecret',
  'administrator',
  'orchestrate',
  'freeradius',
  'mikrotik',
  'fortigate',
  'iloveyou',
  'passwort',
  'password',
  'changeme',
  'firewall',
  'netgear',
  'testing',
  'default',
  'welcome',
  'letmein',
  'gateway',
  'network',
  'company',
  'monkey',
  'dragon',
  'sunshine',
  'princess',
  'football',
  'radius',
  'secret',
  'geheim',
  'shared',
  'server',
  'client',
  'portal',
  'router',
  'switch',
  'admin',
  'cisco',
  'login',
  'guest',
  'token',
  'wlan',
  'wifi',
  'test',
  'user',
  'pass',
  'root',
  'ldap',
  'vpn',
  'lab',
];

/** Seasons and months in English and German, often combined with a year. */
const SEASONS = [
  'spring',
  'summer',
  'autumn',
  'winter',
  'fruehling',
  'sommer',
  'herbst',
  'january',
  'february',
  'march',
  'april',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
  'januar',
  'februar',
  'maerz',
  'juni',
  'juli',
  'oktober',
  'dezember',
];

/** Keyboard walks along a row or up and down the columns. */
const WALKS = [
  '1q2w3e4r5t6y7u8i9o0p',
  '1q2w3e4r5t6z7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'q1w2e3r4t5z6u7i8o9p0',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1qay2wsx3edc4rfv5tgb6zhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];
const WALK_LENGTH = 4;
/** All substrings of keyboard walks that are `WALK_LENGTH` characters long. */
const WALKED = new Set(
  WALKS.flatMap((walk) => Array.from(walk, (_char, at) => walk.slice(at, at + WALK_LENGTH))).filter(
    (part) => part.length === WALK_LENGTH,
  ),
);

const COMMON = new RegExp(
  [...[...SEASONS, ...WORDS].toSorted((one, other) => other.length - one.length), '(?:19|20)\\d\\d(?!\\d)'].join('|'),
  'g',
);

/** Digits and symbols that are often used in place of letters. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

export const WEAK_SECRET_MESSAGE =
  'This portal is open to other machines. Use at least 16 characters that are hard to guess: no words, sequences or repetitions';

/**
 * Returns true if a secret is easy to guess: too short, repetitive, a sequence, or made of common words, even with
 * digits in place of letters.
 */
export function isWeakSecret(secret: string): boolean {
  const text = secret.normalize('NFKC').toLowerCase();
  if (text.length < STRONG_LENGTH || new Set(text).size < DISTINCT_MIN) return true;
  const steps = [...text].filter((_char, at) => at > 0 && Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) <= 1);
  if (steps.length > text.length / 2) return true;
  return spellingsOf(text).some((spelling) => remainder(spelling).length < REMAINDER_MIN);
}

/** Returns the text unchanged, and with digits and symbols replaced by the letters they may represent. */
function spellingsOf(text: string): string[] {
  const read = text.replace(/[03457@$!]/g, (sign) => LETTERS[sign] ?? sign);
  return [text, read.replaceAll('1', 'i'), read.replaceAll('1', 'l')];
}

/** Returns the letters and digits that aren't part of a common word, keyboard walk or repetition. */
const remainder = (text: string): string =>
  withoutRepetitions(withoutWalks(text.replace(COMMON, ' ')).replace(/[^\p{L}\p{N}]/gu, ''));

function withoutWalks(text: string): string {
  let rest = '';
  let walked = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (WALKED.has(text.slice(at, at + WALK_LENGTH))) walked = at + WALK_LENGTH;
    rest += at < walked ? ' ' : text.charAt(at);
  }
  return rest;
}

/** Removes every repetition of a substring, except for its first occurrence. */
function withoutRepetitions(text: string): string {
  let rest = '';
  for (let at = 0; at < text.length; ) {
    let length = 0;
    while (at + length < text.length && rest.includes(text.slice(at, at + length + 1))) length += 1;
    if (length < REPEATED_MIN) rest += text.slice(at, at + Math.max(length, 1));
    at += Math.max(length, 1);
  }
  return rest;
}
