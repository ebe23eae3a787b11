/**
 * Creates a function that translates the server's sentences by their text.
 * @param sentences translations by English text, with `{}` for each variable part; `{0}` inserts the first part, and
 *   `{0*}` translates it as a list of the server's own names
 */
export function translatorOf(sentences: Readonly<Record<string, string>>): (sentence: string) => string {
  const templates = Object.entries(sentences)
    .filter(([english]) => english.includes('{}'))
    .map(([english, text]) => ({ pattern: patternOf(english), text }));
  // Durations and sentences come from the server; anything else can be user input.
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
