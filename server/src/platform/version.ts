import program from '../../../package.json' with { type: 'json' };

/** Version shared by all packages (decision 165). */
export const VERSION: string = program.version;

/** The repository runs TypeScript directly; the published package is compiled. */
const isBuilt = !import.meta.filename.endsWith('.ts');

type OwnCommand = 'start' | 'setup' | 'authenticator' | 'backup' | 'replace-keys' | 'python-path';

/** Returns the command line that runs one of this program's commands, e.g. `npx orchestrate setup`. */
export const ownCommand = (command: OwnCommand): string => {
  if (isBuilt) return `npx orchestrate ${command}`;
  const isScript = command === 'start' || command === 'authenticator';
  return `npx -y pnpm@12 ${isScript ? '' : 'orchestrate '}${command}`;
};
