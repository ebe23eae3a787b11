const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i' };

/** A name in lower case without diacritics; what is not Latin stays as it is. */
export const latinOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[łøßæœđı]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '');
