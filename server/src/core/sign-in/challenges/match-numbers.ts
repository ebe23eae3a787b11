import type { Random } from '../../../platform/adapters/random.ts';

const CHOICES = 3;

/** Two-digit numbers for number matching: the browser shows one, the device offers three and the person picks one. */
export function drawMatchNumbers(random: Random): { matchNumber: string; numberChoices: string[] } {
  const draw = () => String(10 + random.below(90));
  const matchNumber = draw();
  const others = new Set<string>();
  while (others.size < CHOICES - 1) {
    const other = draw();
    if (other !== matchNumber) others.add(other);
  }
  return { matchNumber, numberChoices: [...others].toSpliced(random.below(CHOICES), 0, matchNumber) };
}
