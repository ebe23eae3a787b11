/** A longer first sentence is too long for a headline. */
const HEADLINE_MAX = 60;

/**
 * Splits an organisation's banner text into a headline and the text below it: at the first line break, else after a
 * short first sentence. A text of one sentence is all headline.
 */
export function bannerLines(bannerText: string): { headline: string; rest: string } {
  const text = bannerText.trim();
  const [firstLine = '', ...others] = text.split(/\r?\n/);
  if (others.length > 0) return { headline: firstLine.trim(), rest: others.join('\n').trim() };
  const sentence = /^(.+?[.!?])\s+(.+)$/s.exec(text);
  const [, headline = '', rest = ''] = sentence ?? [];
  return headline && headline.length <= HEADLINE_MAX ? { headline, rest } : { headline: text, rest: '' };
}
