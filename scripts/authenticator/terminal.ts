import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** The part of the process that the command line uses, so that a test can pass its own. */
export interface Surface {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable;
  env: NodeJS.ProcessEnv;
}

/** Output of the command line: sentences for people, or one JSON object per line for programs. */
export interface Terminal {
  /** A result. `facts` never hold a private key. */
  tell(sentence: string, facts: object): void;
  /** Progress, for people only. */
  note(sentence: string): void;
  /** A failure. */
  complain(sentence: string, facts: object): void;
  /** Asks the person; null where nobody can answer, or where the question is cancelled. */
  ask(question: string, signal?: AbortSignal): Promise<string | null>;
}

export function createTerminal({ stdin, stdout, stderr }: Surface, isJson: boolean): Terminal {
  const isInteractive = !isJson && stdin.isTTY === true && stdout.isTTY === true;
  return {
    tell: (sentence, facts) => void stdout.write(`${isJson ? JSON.stringify(facts) : sentence}\n`),
    note: (sentence) => void (isJson || stderr.write(`${sentence}\n`)),
    complain: (sentence, facts) =>
      void (isJson ? stdout : stderr).write(`${isJson ? JSON.stringify(facts) : sentence}\n`),
    async ask(question, signal) {
      if (!isInteractive) return null;
      const prompt = createInterface({ input: stdin, output: stdout });
      // Otherwise a prompt swallows Ctrl-C.
      prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      try {
        return (await prompt.question(question, signal ? { signal } : {})).trim();
      } catch (reason) {
        if (signal?.aborted) return null;
        throw reason;
      } finally {
        prompt.close();
      }
    },
  };
}
