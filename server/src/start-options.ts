import { parseArgs } from 'node:util';
import { placeOf } from '@orchestrate/db';
import { ConfigInvalid, SETTINGS } from './config.ts';
import { nearest } from './platform/nearest.ts';
import { ownCommand } from './platform/own-command.ts';

export interface StartOptions {
  /** Print one JSON line instead of the table, once the portal answers. */
  isForProgram: boolean;
  isHelp: boolean;
}

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

/**
 * What follows `start` on the command line.
 * @throws ConfigInvalid A portal that ignored a word would not be the one that was asked for.
 */
export function readStartOptions(args: readonly string[]): StartOptions {
  // npm takes the `--` before options for itself, and pnpm passes it on.
  const given = args.filter((arg) => arg !== '--');
  const { values, tokens } = parseArgs({ args: given, options: OPTIONS, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional')
      throw new ConfigInvalid(`start takes no ${token.value}, only options. See --help.`);
    if (!(token.name in OPTIONS))
      throw new ConfigInvalid(`start has no option ${token.rawName}. ${meant(token.name)}See --help.`);
    if (token.value !== undefined) throw new ConfigInvalid(`${token.rawName} takes no value. See --help.`);
  }
  return { isForProgram: values.json === true, isHelp: values.help === true };
}

/** Settings are environment variables, and in other programs many of them are options. */
function meant(option: string): string {
  const name = option.replaceAll('-', '_').toUpperCase();
  if (SETTINGS.includes(name)) return `Set the environment variable ${name}. `;
  const near = nearest(name, SETTINGS);
  return near ? `Did you mean the environment variable ${near}? ` : '';
}

export const START_USAGE = `Usage: ${ownCommand('start')} [--json]

Starts the portal at http://localhost:3000.

Options
  --json   prints one JSON line once it answers, with url, health and pid, instead of the table
  --help   this page

Settings are environment variables, read once:
${wrapped(SETTINGS)}
What each does is in ${placeOf('docs/settings.md')}.`;

/** A list in lines of at most a hundred characters. */
function wrapped(names: readonly string[]): string {
  const lines = [''];
  for (const name of names) {
    const line = lines.pop() ?? '';
    lines.push(...(line.length + name.length > 96 ? [line, `  ${name}`] : [`${line || ' '} ${name}`]));
  }
  return lines.join('\n');
}
