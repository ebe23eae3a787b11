/**
 * Keeps answers that depend on a text alone: those about the last `most` texts are remembered, and must not be changed.
 */
export function boundedCache<Answer>(answerTo: (text: string) => Answer, most: number): (text: string) => Answer {
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
