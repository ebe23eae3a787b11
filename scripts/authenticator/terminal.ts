import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** The streams and environment of the command line, which tests replace. */
export interface Surface {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable;
  env: NodeJS.ProcessEnv;
}

/** Output of the command line: sentences for users, or one JSON object per line for programs. */
export interface Terminal {
  /** Prints a result. `facts` must not contain private keys. */
  result(sentence: string, facts: object): void;
  /** Prints progress, unless the output is JSON. */
  progress(sentence: string): void;
  /** Prints an error. */
  error(sentence: string, facts: object): void;
  /** Prompts the user. Resolves to null without an interactive terminal, or if `signal` cancels the prompt. */
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
      // Without this, the prompt swallows Ctrl-C.
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
