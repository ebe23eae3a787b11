import type { JournalEntry } from '@orchestrate/shared';
import type { CastName } from '../world/people.ts';

/** Thrown if an expected element isn't on the screen. The message is for users. */
export class StepFailed extends Error {}

/** The accessible name of an element, or its beginning. */
export type ElementName = string | { begins: string };

/** Operates a page in a frame by accessible names. */
export interface FrameDriver {
  /** Opens a path of the portal, and waits until it has loaded. */
  open(path: string): Promise<void>;
  /** Presses a button, link or option. @throws StepFailed if it doesn't appear */
  press(name: ElementName): Promise<void>;
  /** Types into the field with a label. @throws StepFailed if it doesn't appear */
  type(label: ElementName, text: string): Promise<void>;
  /** Waits for the element of a selector. @throws StepFailed if it doesn't appear */
  find(selector: string): Promise<Element>;
}

/** The tools of a step. */
export interface StepTools {
  orgCode: string;
  browser: FrameDriver;
  phone: FrameDriver;
  /** Returns the email of a cast member. */
  emailOf(name: CastName): string;
}

export interface Step {
  /** Heading of the step. */
  title: string;
  /** Instructions, in one or two sentences. */
  text: string;
  /** The window to look at. */
  at: 'browser' | 'phone';
  /** Performs the step for the user; undefined if it happens automatically. */
  show?: (tools: StepTools) => Promise<void>;
  /** Returns true for the journal entry that completes the step. */
  isDone(entry: JournalEntry): boolean;
}

export interface Scene {
  title: string;
  /** Title in the list of scenes. */
  short: string;
  /** Summary in one or two sentences. */
  about: string;
  /** The main character. */
  who: CastName;
  /** The user signed in at the start. */
  browserAs?: CastName;
  /** Returns the browser's initial path. */
  browserAt: (orgCode: string) => string;
  /** Owner of the phone; null for a phone without an account. */
  phoneOf: CastName | null;
  /** Returns the phone's initial path. */
  phoneAt?: (orgCode: string) => string;
  steps: readonly Step[];
}

/**
 * Counts the completed steps from the start. Simultaneous events are recorded in any order, so each step is matched with
 * its first unused entry.
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
