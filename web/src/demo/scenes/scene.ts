import type { JournalEntry } from '@orchestrate/shared';
import type { CastName } from '../world/people.ts';

/** Something was not on the screen where a step expected it. The message is for people. */
export class HandFailed extends Error {}

/** The words by which something is known on the screen, or those with which they begin. */
export type Named = string | { begins: string };

/** A window of the stage, operated as a person does: by the words that are on it. */
export interface Hand {
  /** Opens an address of the portal, and waits until it is there. */
  open(path: string): Promise<void>;
  /** Presses what has this name: a button, a link or a choice. @throws HandFailed where it does not appear */
  press(name: Named): Promise<void>;
  /** Types into the field with this label. @throws HandFailed where it does not appear */
  type(label: Named, text: string): Promise<void>;
  /** What this selector finds, once it is there. @throws HandFailed */
  find(selector: string): Promise<Element>;
}

/** What a scene can do on the stage. */
export interface Stage {
  orgCode: string;
  browser: Hand;
  phone: Hand;
  /** The address of somebody of the cast. */
  emailOf(name: CastName): string;
}

export interface Step {
  /** What happens, as a heading. */
  title: string;
  /** What you do, in one or two sentences. */
  text: string;
  /** Where to look. */
  at: 'browser' | 'phone';
  /** Does it for you, for real; absent where it happens by itself. */
  show?: (stage: Stage) => Promise<void>;
  /** Whether it has happened, by what the portal has recorded since the step before. */
  isDone(entry: JournalEntry): boolean;
}

export interface Scene {
  title: string;
  /** For the list of scenes. */
  short: string;
  /** What it shows, in one sentence. */
  about: string;
  /** Whose story it is. */
  who: CastName;
  /** Who is signed in at the beginning. */
  browserAs?: CastName;
  /** What the browser shows at the beginning. */
  browserAt: (orgCode: string) => string;
  /** Whose phone it is; null for one without an account. */
  phoneOf: CastName | null;
  /** What the phone shows at the beginning. */
  phoneAt?: (orgCode: string) => string;
  steps: readonly Step[];
}

/**
 * How many steps have been done, in their order. What is recorded at once may come in any order, so each step takes the
 * first entry that is its own.
 */
export function stepsDone(steps: readonly Step[], entries: readonly JournalEntry[]): number {
  const taken = new Set<number>();
  for (const [at, step] of steps.entries()) {
    const own = entries.find((entry) => !taken.has(entry.seq) && step.isDone(entry));
    if (!own) return at;
    taken.add(own.seq);
  }
  return steps.length;
}
