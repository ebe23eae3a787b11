import { nearestByParts } from './nearest.ts';

/** Variables of other programs (Auth.js; Django and Flask) that resemble a setting. */
const OTHERS: ReadonlySet<string> = new Set(['EMAIL_FROM', 'SECRET_KEY']);

/**
 * Returns a warning for each environment variable that resembles a setting and has no effect. Ignores names of one word,
 * which resemble many others, and names whose similar setting is also set.
 * @param known the names of settings
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
