/**
 * Translates sentences that come from elsewhere by their text.
 * @param sentences by the English text, with `{}` for each part that varies; `{0}` is the first of them, and `{0*}` a
 *   list of names that are the server's own
 */
export function translatorOf(sentences: Readonly<Record<string, string>>): (sentence: string) => string {
  const templates = Object.entries(sentences)
    .filter(([english]) => english.includes('{}'))
    .map(([english, text]) => ({ pattern: patternOf(english), text }));
  // A span of time or a sentence is the server's own; anything else may be what people typed.
  const partOf = (part: string): string => (/^\d+ \w+$|[.?]$/.test(part) ? translate(part) : part);
  const translate = (sentence: string): string => {
    if (Object.hasOwn(sentences, sentence)) return sentences[sentence] ?? sentence;
    for (const { pattern, text } of templates) {
      const parts = pattern.exec(sentence)?.slice(1);
      if (parts)
        return text.replaceAll(/\{(\d)(\*?)\}/g, (_, at: string, isList: string) => {
          const part = parts[Number(at)] ?? '';
          return isList ? part.split(', ').map(translate).join(', ') : partOf(part);
        });
    }
    return sentence;
  };
  return translate;
}

const patternOf = (english: string): RegExp =>
  new RegExp(
    `^${english.replaceAll(/[.*+?^$()|[\]\\]|\{(?!\})|(?<!\{)\}/g, String.raw`\$&`).replaceAll('{}', '(.+)')}$`,
    's',
  );
