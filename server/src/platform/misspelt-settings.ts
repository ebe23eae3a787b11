import { nearestBySegments } from './nearest.ts';

/** Other programs' variables (Auth.js; Django and Flask) that resemble a setting. */
const OTHERS: ReadonlySet<string> = new Set(['EMAIL_FROM', 'SECRET_KEY']);

/**
 * Returns a warning for each environment variable that resembles a setting but has no effect. Ignores single-word
 * names, which resemble many others, and names whose matching setting is also set.
 * @param known setting names
 */
export function misspeltSettings(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (!environment[name]?.trim() || known.includes(name) || OTHERS.has(name) || !name.includes('_')) return [];
    const meant = nearestBySegments(name, known, '_');
    return meant === undefined || environment[meant]?.trim() ? [] : [unknownSettingMessage(name, meant)];
  });
}

export const unknownSettingMessage = (name: string, meant: string | undefined): string =>
  `Unknown setting ${name}.${meant ? ` Did you mean ${meant}?` : ''}`;
