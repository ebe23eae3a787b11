import { nearestByParts } from './nearest.ts';

/** Variables that are common in other programs and resemble one of ours: those of Auth.js, and of Django and Flask. */
const OTHERS: ReadonlySet<string> = new Set(['EMAIL_FROM', 'SECRET_KEY']);

/**
 * A sentence for each variable of an environment that is close to one of ours and has no effect. Names of one word are
 * left alone, since a short word is close to many others; and so is a name where the one that it resembles is set too.
 * @param known the names of ours
 */
export function misspeltSettings(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (!environment[name]?.trim() || known.includes(name) || OTHERS.has(name) || !name.includes('_')) return [];
    const meant = nearestByParts(name, known, '_');
    return meant === undefined || environment[meant]?.trim() ? [] : [noSuchSetting(name, meant)];
  });
}

export const noSuchSetting = (name: string, meant: string | undefined): string =>
  `There is no setting ${name}.${meant ? ` Did you mean ${meant}?` : ''}`;
