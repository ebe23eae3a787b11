import type { JournalEntry } from '@orchestrate/shared';
import type { CastName } from '../world/people.ts';

/** Thrown if an expected element isn't on the screen. The message is shown to users. */
export class StepError extends Error {}

/** Accessible name of an element, or how the name begins. */
export type ElementName = string | { begins: string };

/** Operates a page in a frame through accessible names. */
export interface FrameDriver {
  /** Opens a portal path and waits until the page has loaded. */
  open(path: string): Promise<void>;
  /** Presses a button, link or option. @throws StepError if it doesn't appear */
  press(name: ElementName): Promise<void>;
  /** Types into the field with this label. @throws StepError if the field doesn't appear */
  type(label: ElementName, text: string): Promise<void>;
  /** Waits for an element that matches a selector. @throws StepError if it doesn't appear */
  find(selector: string): Promise<Element>;
}

/** Tools that a step uses to demonstrate itself. */
export interface StepTools {
  orgCode: string;
  browser: FrameDriver;
  phone: FrameDriver;
  /** Returns a character's email address. */
  emailOf(name: CastName): string;
}

export interface Step {
  title: string;
  /** Instructions, in one or two sentences. */
  text: string;
  /** The window the viewer should look at. */
  at: 'browser' | 'phone';
  /** Performs the step for the viewer. Undefined if the step happens automatically. */
  show?: (tools: StepTools) => Promise<void>;
  /** Returns true if a journal entry completes the step. */
  isDone(entry: JournalEntry): boolean;
}

export interface Scene {
  title: string;
  /** Short title for the list of scenes. */
  short: string;
  /** Summary of one or two sentences. */
  about: string;
  /** Main character of the scene. */
  who: CastName;
  /** Character signed in to the browser at the start, if any. */
  browserAs?: CastName;
  /** Returns the path the browser opens at the start. */
  browserAt: (orgCode: string) => string;
  /** Owner of the phone. Null for a phone without an account. */
  phoneOf: CastName | null;
  /** Returns the path the phone opens at the start. */
  phoneAt?: (orgCode: string) => string;
  steps: readonly Step[];
}

/**
 * Counts the steps completed since the start. Simultaneous events can be recorded in any order, so each step is
 * matched with the first unused entry that completes it.
 */
export function countCompletedSteps(steps: readonly Step[], entries: readonly JournalEntry[]): number {
  const taken = new Set<number>();
  for (const [at, step] of steps.entries()) {
    const own = entries.find((entry) => !taken.has(entry.seq) && step.isDone(entry));
    if (!own) return at;
    taken.add(own.seq);
  }
  return steps.length;
}
