import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { PendingChallenge } from '@orchestrate/shared';
import { describeBrowser, requestTitle } from '@orchestrate/shared/authenticator';

/** The command line's streams and environment, which tests replace. */
export interface Surface {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable;
  env: NodeJS.ProcessEnv;
}

/** Command-line output: sentences for people, or one JSON object per line for programs. */
export interface Terminal {
  /** Prints a result. `facts` must never contain private keys. */
  result(sentence: string, facts: object): void;
  /** Prints progress, unless the output is JSON. */
  progress(sentence: string): void;
  error(sentence: string, facts: object): void;
  /** Prompts the user. Resolves to null if the terminal isn't interactive or `signal` cancels the prompt. */
  prompt(question: string, signal?: AbortSignal): Promise<string | null>;
}

export function createTerminal({ stdin, stdout, stderr }: Surface, isJson: boolean): Terminal {
  const isInteractive = !isJson && stdin.isTTY === true && stdout.isTTY === true;
  return {
    result: (sentence, facts) => void stdout.write(`${isJson ? JSON.stringify(facts) : sentence}\n`),
    progress: (sentence) => void (isJson || stderr.write(`${sentence}\n`)),
    error: (sentence, facts) => void (isJson ? stdout : stderr).write(`${isJson ? JSON.stringify(facts) : sentence}\n`),
    async prompt(question, signal) {
      if (!isInteractive) return null;
      const reader = createInterface({ input: stdin, output: stdout });
      // Without this handler, the prompt swallows Ctrl-C.
      reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      try {
        return (await reader.question(question, signal ? { signal } : {})).trim();
      } catch (reason) {
        if (signal?.aborted) return null;
        throw reason;
      } finally {
        reader.close();
      }
    },
  };
}

/** Formats a request as one line: `Sign in to Payroll? Acme Corporation, Chrome on Linux, 192.0.2.14, for 108 s`. */
export function formatRequest(challenge: PendingChallenge, portalNow: number): string {
  const { requester, orgName, expiresAt, numberChoices } = challenge;
  const seconds = Math.max(0, Math.round((Date.parse(expiresAt) - portalNow) / 1_000));
  const number = numberChoices ? `, shows ${orList(numberChoices)}` : '';
  const who = requester.fullName ? `${requester.fullName}, ` : '';
  return `${requestTitle(challenge)} ${orgName}, ${who}${describeBrowser(requester.userAgent)}, ${requester.ip}${number}, for ${seconds} s`;
}

/** Formats values as `17, 82 or 46`. */
export const orList = (values: readonly string[]): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

/** Process exit codes. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, nothingWaits: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Thrown when a command can't run with the given arguments. The message explains the problem in one line. */
export class UsageError extends Error {}

/** Thrown when there is no request to answer. */
export class NoPendingRequest extends Error {}
