/**
 * Asks once what a text alone decides: the answers about the `most` texts that came last are kept, and must not be
 * changed.
 */
export function keptAnswers<Answer>(answerTo: (text: string) => Answer, most: number): (text: string) => Answer {
  const kept = new Map<string, Answer>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= most) kept.delete(oldest);
    const answer = answerTo(text);
    kept.set(text, answer);
    return answer;
  };
}
