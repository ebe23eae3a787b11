import { accessSync, chmodSync, constants, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { makePrivateFolder } from '@orchestrate/db/private-folder';
import { readJson } from '@orchestrate/shared';
import { type DeviceState, deviceState } from '@orchestrate/shared/authenticator';
import { z } from 'zod';
import { WrongUse } from './exit.ts';

const file = z.object({
  version: z.literal(1),
  /** A device belongs to the portal that registered it. */
  accounts: z.array(z.object({ url: z.string(), device: deviceState })),
});
type Contents = z.output<typeof file>;

/** The default place for devices (XDG Base Directory Specification). @throws WrongUse where there is none */
export function defaultFile(environment: NodeJS.ProcessEnv): string {
  const data = environment.XDG_DATA_HOME || join(homeFolder(), '.local', 'share');
  return join(data, 'orchestrate', 'authenticator.json');
}

function homeFolder(): string {
  let home = '';
  try {
    home = homedir();
  } catch {
    // In a container, an account may be a mere number.
  }
  if (home === '') throw new WrongUse('There is no home folder to keep devices in: name a file with --file.');
  return home;
}

/** The devices of one portal, in a file that only its owner can read. */
export interface AccountFile {
  path: string;
  /** @throws WrongUse where a device could not be stored; call this before registering one. */
  prepare(): void;
  list(): DeviceState[];
  /** Keeps a device; one with the same zid is replaced. */
  keep(device: DeviceState): void;
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
    // Never overwritten: it may hold keys that another version understands.
    if (!contents.success) throw new WrongUse(`${path} is not a file of this authenticator.`);
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
    keep(device) {
      const { accounts } = read();
      const others = accounts.filter((account) => !(isOurs(account) && account.device.zid === device.zid));
      const contents: Contents = { version: 1, accounts: [...others, { url, device }] };
      const draft = `${path}.${process.pid}`;
      whileWriting(path, () => {
        writeFileSync(draft, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 });
        // The mode above applies only to a new file.
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
    throw new WrongUse(`${path} cannot be written: ${reason instanceof Error ? reason.message : reason}`);
  }
}
