import type { TestPortal } from '@orchestrate/server/testing';
import type { Page } from '@playwright/test';

/** Window size. `laptop` and `wide` are for layouts that depend on the desktop's width. */
export type View = 'desktop' | 'phone' | 'laptop' | 'wide';

/** Tools of a scene: a newly seeded portal with a frozen clock, and browsers with the same clock. */
export interface Studio {
  portal: TestPortal;
  /** Browser page to photograph. */
  page: Page;
  view: View;
  /** Opens the dashboard of a seeded user. */
  signIn(email: string): Promise<void>;
  /** Advances the clocks of the server and all browsers. */
  pass(seconds: number): Promise<void>;
}

/** One state of one screen. */
export interface Scene {
  /** File name of the picture, starting with the screen. */
  name: string;
  /** Views to photograph; desktop and phone by default. */
  on?: readonly View[];
  /** True to photograph the whole page instead of the window. */
  isWhole?: boolean;
  /** Brings the browser into the state. */
  arrange(studio: Studio): Promise<void>;
}
