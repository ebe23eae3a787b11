import program from '../../../package.json' with { type: 'json' };

/** Version shared by all packages (decision 165). */
export const VERSION: string = program.version;

/** True in the published package; false in the workspace, which runs TypeScript or a bundle in `server/dist`. */
const isPackaged = !/\.ts$|[\\/]server[\\/]dist[\\/](?:chunks[\\/])?[^\\/]+$/.test(import.meta.filename);

type OwnCommand = 'start' | 'setup' | 'authenticator' | 'backup' | 'replace-keys' | 'python-path';

/** Returns the command line that runs one of this program's commands, e.g. `npx orchestrate setup`. */
export const ownCommand = (command: OwnCommand): string => {
  if (isPackaged) return `npx orchestrate ${command}`;
  const isScript = command === 'start' || command === 'authenticator';
  return `npx -y pnpm@12 ${isScript ? '' : 'orchestrate '}${command}`;
};
