const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i' };

/** Lowercases a name and removes diacritics; other scripts stay unchanged. */
export const latinOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[łøßæœđı]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '');
