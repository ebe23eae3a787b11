/**
 * German translations by their English text, with `{}` for each variable part. In the German text, `{0}` is the first
 * variable part, and `{0*}` a list of names to translate too.
 */
export type Translations = Readonly<Record<string, string>>;

interface Template {
  /** The English text before, between and after the variable parts. */
  literals: readonly string[];
  german: string;
}

/** Returns a function that translates text using a table. Text without a translation is returned unchanged. */
export function translatorOf(translations: Translations): (text: string) => string {
  // Built on first use, because most programs never translate.
  let templates: readonly Template[] | undefined;
  // Time spans and sentences are the portal's own text. Any other part may be user input, which is not translated.
  const partOf = (part: string): string => (/^\d+ \w+$|[.?]$/.test(part) ? translate(part) : part);
  const translate = (text: string): string => {
    if (Object.hasOwn(translations, text)) return translations[text] ?? text;
    templates ??= templatesIn(translations);
    for (const { literals, german } of templates) {
      const parts = partsIn(text, literals);
      if (parts)
        return german.replaceAll(/\{(\d)(\*?)\}/g, (_, at: string, isList: string) => {
          const part = parts[Number(at)] ?? '';
          return isList ? part.split(', ').map(translate).join(', ') : partOf(part);
        });
    }
    return text;
  };
  return translate;
}

/**
 * Returns the templates, most fixed words first. If several templates match, the one with the most fixed words
 * matches best.
 */
const templatesIn = (translations: Translations): Template[] =>
  Object.entries(translations)
    .filter(([english]) => english.includes('{}'))
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([english, german]) => ({ literals: english.split('{}'), german }));

/**
 * Returns the parts of a string between a template's literals, or undefined if the template doesn't match. Searches
 * from the end, once per literal, which stays fast for long user input.
 */
function partsIn(text: string, literals: readonly string[]): string[] | undefined {
  const [first = ''] = literals;
  const last = literals.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const parts: string[] = [];
  let end = text.length - last.length;
  for (let index = literals.length - 2; index >= 0; index -= 1) {
    const literal = literals[index] ?? '';
    const latest = end - literal.length - 1;
    const at = index === 0 || latest < 0 ? Math.min(latest, 0) : text.lastIndexOf(literal, latest);
    if (at < 0) return undefined;
    parts.unshift(text.slice(at + literal.length, end));
    end = at;
  }
  return parts;
}
