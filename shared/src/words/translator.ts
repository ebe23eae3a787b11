/**
 * German by the English text, with `{}` for each part that varies. In the German text, `{0}` is the first of these
 * parts, and `{0*}` a list of names that are translated too.
 */
export type Translations = Readonly<Record<string, string>>;

interface Template {
  /** The English text around the parts that vary. */
  literals: readonly string[];
  german: string;
}

/** Returns a function that translates texts by a table; it returns unknown texts as they are. */
export function translatorOf(translations: Translations): (text: string) => string {
  // Most programs never translate.
  let templates: readonly Template[] | undefined;
  // Time spans and sentences are ours; any other part may be what a user typed.
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

/** The templates, those with more words of their own first: of several that fit, they fit best. */
const templatesIn = (translations: Translations): Template[] =>
  Object.entries(translations)
    .filter(([english]) => english.includes('{}'))
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([english, german]) => ({ literals: english.split('{}'), german }));

/**
 * Returns the parts of a text between the literals of a template; undefined if it doesn't fit. It searches from the
 * end, once per literal, so long texts from users are no problem.
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
