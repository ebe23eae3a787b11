import { accessSync, chmodSync, constants, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { makePrivateFolder } from '@orchestrate/db/private-folder';
import { readJson } from '@orchestrate/shared';
import { type DeviceState, deviceState } from '@orchestrate/shared/authenticator';
import { z } from 'zod';
import { UsageError } from './terminal.ts';

const file = z.object({
  version: z.literal(1),
  /** Each device is stored with the portal that registered it. */
  accounts: z.array(z.object({ url: z.string(), device: deviceState })),
});
type Contents = z.output<typeof file>;

/** Returns the default device file (XDG Base Directory Specification). @throws UsageError without a home folder */
export function defaultFile(environment: NodeJS.ProcessEnv): string {
  const data = environment.XDG_DATA_HOME || join(homeFolder(), '.local', 'share');
  return join(data, 'orchestrate', 'authenticator.json');
}

function homeFolder(): string {
  let home = '';
  try {
    home = homedir();
  } catch {
    // In a container, the user can be a uid without a passwd entry, which makes `homedir` throw.
  }
  if (home === '') throw new UsageError('There is no home folder for storing devices. Specify a file with --file.');
  return home;
}

/** One portal's devices, in a file that only its owner can read. */
export interface AccountFile {
  path: string;
  /** Checks that devices can be stored. Call this before registering a device. @throws UsageError */
  prepare(): void;
  list(): DeviceState[];
  /** Stores a device, replacing any device with the same zid. */
  store(device: DeviceState): void;
}

export function openAccountFile(path: string, url: string): AccountFile {
  const isOurs = (account: Contents['accounts'][number]) => account.url === url;

  function read(): Contents {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      return { version: 1, accounts: [] };
    }
    const contents = file.safeParse(readJson(text));
    // Never overwrites the file, because it may contain keys that another version can read.
    if (!contents.success)
      throw new UsageError(`${path} isn't a device file of this authenticator. Specify another file with --file.`);
    return contents.data;
  }

  return {
    path,
    prepare() {
      read();
      whileWriting(path, () => {
        makePrivateFolder(dirname(resolve(path)));
        accessSync(dirname(path), constants.W_OK);
      });
    },
    list: () =>
      read()
        .accounts.filter(isOurs)
        .map(({ device }) => device),
    store(device) {
      const { accounts } = read();
      const others = accounts.filter((account) => !(isOurs(account) && account.device.zid === device.zid));
      const contents: Contents = { version: 1, accounts: [...others, { url, device }] };
      const draft = `${path}.${process.pid}`;
      whileWriting(path, () => {
        writeFileSync(draft, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 });
        // writeFileSync applies the mode only when it creates the file.
        chmodSync(draft, 0o600);
        renameSync(draft, path);
      });
    },
  };
}

function whileWriting(path: string, work: () => void): void {
  try {
    work();
  } catch (reason) {
    throw new UsageError(`${path} can't be written: ${reason instanceof Error ? reason.message : reason}`);
  }
}
